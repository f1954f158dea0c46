#include "build/made_files.h"

#include "build/test_discovery.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>

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

TEST_CASE("made files: what Meson writes for ninja") {
  TemporaryDirectory directory;
  std::string build = directory / "b";
  directory.write("b/meson-info/meson-info.json", "{}");
  directory.write("b/build.ninja",
                  "rule cpp_COMPILER\n command = ccache clang++-19 $ARGS -o $out -c $in\n"
                  "rule STATIC_LINKER\n command = rm -f $out && gcc-ar $LINK_ARGS $out $in\n"
                  "rule CUSTOM_COMMAND\n command = $COMMAND\n"
                  "rule SHSYM\n command = /usr/bin/meson --internal symbolextractor $in\n"
                  "build app.p/main.cpp.o: cpp_COMPILER ../main.cpp | app.p/p.pch || gen.h\n"
                  "build gen.h data.txt: CUSTOM_COMMAND ../gen.in\n"
                  " COMMAND = /usr/bin/meson --internal exe --unpickle x$ y.dat\n"
                  "build made.cpp: cpp_PREPROCESSOR ../made.cpp.in\n"
                  "build app.p/made.cpp.o: cpp_COMPILER made.cpp\n"
                  "build own.o: CUSTOM_COMMAND ../own.asm\n"
                  "build app: cpp_LINKER app.p/main.cpp.o own.o\n"
                  "build meson-internal__dist: CUSTOM_COMMAND PHONY\n"
                  " COMMAND = /usr/bin/meson dist\n"
                  "build all: phony app\n"
                  "build meson-test-prereq: phony app data.txt\n");
  MadeFiles made = readMadeFiles(build);
  CHECK(made.outputs == std::vector<std::string>{build + "/data.txt", build + "/gen.h",
                                                 build + "/made.cpp", build + "/own.o"});
  CHECK(made.sourceTargets == std::vector<std::string>{"gen.h", "made.cpp", "own.o"});
  CHECK(made.allTargets == std::vector<std::string>{"all", "meson-test-prereq"});
  CHECK(made.tools == std::vector<std::string>{"ccache", "gcc-ar", "rm"});
  REQUIRE(made.steps.size() == 1);
  CHECK(made.steps[0].isOpaque);
}

TEST_CASE("made files: what a unit reads is made, though no order says so") {
  MadeFiles made{.outputs = {"/b/data.txt", "/b/gen.h", "/s/gen.c"},
                 .ninja = "ninja",
                 .sourceTargets = {"before"}};
  ProjectPaths paths{"/s", "/b"};
  CHECK(sourcesToMake(made, paths, {}) == std::vector<std::string>{"before"});
  CHECK(sourcesToMake(made, paths, {"/b/gen.h", "/s/gen.c", "/s/main.cpp"}) ==
        std::vector<std::string>{"before", "gen.h", "/s/gen.c"});
  made.ninja.clear();
  CHECK(sourcesToMake(made, paths, {"/b/gen.h"}).empty());
}

TEST_CASE("made files: ninja may know a file by a link") {
  TemporaryDirectory directory;
  directory.write("real/gen/old.h", "");
  std::filesystem::create_directory_symlink(directory / "real", directory / "link");
  std::string build = directory / "b", made = directory / "real/gen/g.h";
  MadeFiles files{.ninja = "ninja"};
  files.add(directory / "link/gen/g.h", build);
  files.add("gen.h", build);
  CHECK(files.outputs == std::vector<std::string>{made, build + "/gen.h"});
  CHECK(files.nameOf(made, build) == directory / "link/gen/g.h");
  CHECK(files.nameOf(build + "/gen.h", build) == "gen.h");
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
