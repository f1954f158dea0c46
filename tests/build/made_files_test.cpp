#include "build/made_files.h"

#include "build/test_discovery.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("made files: what CMake writes for ninja") {
  TemporaryDirectory directory;
  std::string build = directory / "b";
  directory.write("b/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Ninja\n"
                                      "CMAKE_MAKE_PROGRAM:FILEPATH=/bin/ninja\n");
  directory.write(
      "b/build.ninja",
      "include CMakeFiles/rules.ninja\n"
      "build cmake_object_order_depends_target_app: phony || gen.h\n"
      "build app: CXX_EXECUTABLE_LINKER__app_ CMakeFiles/app.dir/main.cpp.o\n"
      "  POST_BUILD = cd " +
          build + " && cmake -D TEST_TARGET=app -D \"TEST_EXECUTABLE=" + build +
          "/app\" -P GoogleTestAddTests.cmake\n"
          "build CMakeFiles/test.util: CUSTOM_COMMAND\n"
          "build a$ b$:c.txt | ${cmake_ninja_workdir}a$ b$:c.txt: CUSTOM_COMMAND /s/in\n"
          "build gen.h other.h: CUSTOM_COMMAND tool\n"
          "build CUSTOM_COMMAND: phony\n");
  directory.write("b/CMakeFiles/rules.ninja", "build /s/gen.c: CUSTOM_COMMAND\n");
  MadeFiles made = readMadeFiles(build);
  CHECK(made.outputs == std::vector<std::string>{"/s/gen.c", build + "/a b:c.txt", build + "/gen.h",
                                                 build + "/other.h"});
  CHECK(made.sourceTargets == std::vector<std::string>{"cmake_object_order_depends_target_app"});
  CHECK(made.ninja == "/bin/ninja");
  CHECK(made.contains(build + "/gen.h"));
  CHECK(!made.contains(build + "/app"));

  std::vector<TestDiscovery> found = testDiscoveries({directory.path(), build});
  REQUIRE(found.size() == 1);
  CHECK(found[0].binary == "<build>/app");
  CHECK(found[0].target == "app");
  CHECK(found[0].command.find(directory.path()) == std::string::npos);
}

TEST_CASE("made files: what CMake writes for make") {
  TemporaryDirectory directory;
  std::string build = directory / "b";
  directory.write("b/CMakeCache.txt", "CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n");
  directory.write("b/CMakeFiles/app.dir/build.make", "# made\nSHELL = /bin/sh\n%.o: %.c\n"
                                                     "gen.h: /s/gen.in\n\tcp: /s/gen.in gen.h\n"
                                                     "CMakeFiles/app.dir/build: app\n");
  MadeFiles made = readMadeFiles(build);
  CHECK(made.outputs == std::vector<std::string>{build + "/gen.h"});
  CHECK(made.ninja.empty());
}

TEST_CASE("made files: with make, what is older than the project may be out of date") {
  TemporaryDirectory directory;
  directory.write("b/gen.h", "");
  ProjectPaths paths{directory.path(), directory / "b"};
  MadeFiles made{.outputs = {directory / "b/gen.h"}};
  std::vector<std::string> inputs = {directory / "b/gen.h"};
  std::filesystem::last_write_time(inputs[0], std::filesystem::file_time_type::clock::now() -
                                                  std::chrono::hours(1));
  directory.write("gen.in", "");
  std::string failure = llvm::toString(makeSources(made, paths, inputs));
  CHECK(failure.find("<build>/gen.h may be made by the build and out of date") !=
        std::string::npos);
  CHECK(outdatedFiles(made, paths, inputs) == inputs);
  std::filesystem::last_write_time(inputs[0], std::filesystem::file_time_type::clock::now() +
                                                  std::chrono::hours(1));
  CHECK(!makeSources(made, paths, inputs));
  CHECK(outdatedFiles(made, paths, inputs) == inputs); // flags may be others
  CHECK(!makeSources(made, paths, {directory / "gen.in"}));
}
