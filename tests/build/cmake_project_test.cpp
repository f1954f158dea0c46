// A real CMake project, configured by each generator and not built.

#include "build/build_directory.h"
#include "build/compile_database.h"
#include "build/link_plan.h"
#include "support/process.h"
#include "tests/build/show_plan.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <string>

using namespace retest;

namespace {

const char *const kTop = R"(
cmake_minimum_required(VERSION 3.20)
project(example C CXX ASM)
add_library(st STATIC st.cpp more.c)
add_library(sh SHARED sh.cpp)
set_target_properties(sh PROPERTIES VERSION 1.2 SOVERSION 1)
add_library(ob OBJECT ob.cpp)
add_library(plugin MODULE plugin.cpp $<TARGET_OBJECTS:ob>)
add_executable(one one.cpp shared.cpp code.S)
target_link_libraries(one PRIVATE st sh ob pthread)
add_executable(other EXCLUDE_FROM_ALL shared.cpp)
target_link_libraries(other PRIVATE -Wl,--whole-archive st -Wl,--no-whole-archive)
add_subdirectory(sub)
)";

const char *const kSub = R"(
add_executable(two two.cpp "zwei ö.cpp" alone.cpp)
set_target_properties(two PROPERTIES UNITY_BUILD ON)
set_source_files_properties(alone.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_precompile_headers(two PRIVATE common.h)
target_link_libraries(two PRIVATE sh)
)";

/// The project in a directory whose name has a blank and a letter that is not ASCII.
struct Project {
  TemporaryTree tree;
  std::string name = "prö jekt";

  Project() {
    tree.write(name + "/CMakeLists.txt", kTop);
    tree.write(name + "/sub/CMakeLists.txt", kSub);
    for (const char *file :
         {"st.cpp", "more.c", "sh.cpp", "ob.cpp", "plugin.cpp", "one.cpp", "shared.cpp", "code.S",
          "sub/two.cpp", "sub/zwei ö.cpp", "sub/alone.cpp", "sub/common.h"})
      tree.write(name + "/" + file, "");
    tree.write(name + "/build/.cmake/api/v1/query/codemodel-v2", "");
  }

  void removeFromBuild(llvm::StringRef file) const { tree.remove(name + "/build/" + file.str()); }

  std::string build() const { return tree.at(name + "/build"); }

  void configure(llvm::StringRef generator, std::vector<std::string> options = {}) {
    ProcessCommand command;
    command.arguments = {RETEST_CMAKE,
                         "-G",
                         generator.str(),
                         "-S",
                         tree.at(name),
                         "-B",
                         build(),
                         "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                         std::string("-DCMAKE_C_COMPILER=") + RETEST_C_COMPILER,
                         std::string("-DCMAKE_CXX_COMPILER=") + RETEST_CXX_COMPILER};
    llvm::append_range(command.arguments, options);
    auto result = runProcess(command);
    REQUIRE(bool(result));
    REQUIRE_MESSAGE(result->succeeded(), result->errors);
  }

  ProjectPaths paths() const {
    auto found = findProject(build());
    REQUIRE(bool(found));
    return *found;
  }

  CompileDatabase database() const {
    auto loaded = loadCompileDatabase(build(), paths());
    REQUIRE(bool(loaded));
    return std::move(*loaded);
  }

  LinkPlan plan() const { return loadLinkPlan(database(), paths()); }
};

std::string namesOf(const CompileDatabase &database) {
  std::string names;
  for (const Unit &unit : database.units)
    names += unit.name + "\n";
  return names;
}

/// Without the order of inputs, in which the generators differ.
std::string showUnordered(LinkPlan plan) {
  for (Binary &binary : plan.binaries)
    llvm::sort(binary.inputs);
  return show(plan);
}

const std::string kUnits = "<build>/sub/CMakeFiles/two.dir/Unity/unity_0_cxx.cxx\n"
                           "more.c\n"
                           "ob.cpp\n"
                           "one.cpp\n"
                           "plugin.cpp\n"
                           "sh.cpp\n"
                           "shared.cpp@<build>/CMakeFiles/one.dir/shared.cpp.o\n"
                           "shared.cpp@<build>/CMakeFiles/other.dir/shared.cpp.o\n"
                           "st.cpp\n"
                           "sub/alone.cpp\n";

const std::string kPlan =
    "module <build>/libplugin.so: unit(ob.cpp) unit(plugin.cpp)\n"
    "shared <build>/libsh.so.1.2: unit(sh.cpp)\n"
    "archive <build>/libst.a: unit(more.c) unit(st.cpp)\n"
    "exe <build>/one: unit(ob.cpp) unit(one.cpp) "
    "unit(shared.cpp@<build>/CMakeFiles/one.dir/shared.cpp.o) archive(<build>/libst.a) "
    "shared(<build>/libsh.so.1.2) object(<build>/CMakeFiles/one.dir/code.S.o from code.S) "
    "external(-lpthread)\n"
    "exe <build>/other: unit(shared.cpp@<build>/CMakeFiles/other.dir/shared.cpp.o) "
    "archive(<build>/libst.a)!\n"
    "exe <build>/sub/two: unit(<build>/sub/CMakeFiles/two.dir/Unity/unity_0_cxx.cxx) "
    "unit(sub/alone.cpp) shared(<build>/libsh.so.1.2)\n";

void checkUnits(const Project &project) {
  CHECK(project.paths().root == project.tree.at(project.name));
  auto found = findBuildDirectory(project.tree.at(project.name + "/sub"));
  REQUIRE(bool(found));
  CHECK(found->path == project.build());
  CompileDatabase database = project.database();
  CHECK(namesOf(database) == kUnits);
  CHECK(llvm::join(database.skipped, "\n") ==
        "<build>/sub/CMakeFiles/two.dir/cmake_pch.hxx.cxx: precompiled header\n"
        "code.S: assembly");
}

} // namespace

TEST_CASE("a CMake project with Makefiles: units and link plan, also by the file API") {
  Project project;
  project.configure("Unix Makefiles");
  checkUnits(project);
  LinkPlan plan = project.plan();
  CHECK(plan.source == "link.txt");
  CHECK(showUnordered(plan) == kPlan);

  project.removeFromBuild("CMakeFiles/TargetDirectories.txt");
  CHECK(showUnordered(project.plan()) == kPlan);

  for (const char *target : {"one", "other", "sh", "st", "plugin"})
    project.removeFromBuild(std::string("CMakeFiles/") + target + ".dir/link.txt");
  project.removeFromBuild("sub/CMakeFiles/two.dir/link.txt");
  plan = project.plan();
  CHECK(plan.source == "CMake file API");
  CHECK(showUnordered(plan) == kPlan);
}

TEST_CASE("a CMake project with ninja: units and link plan, also by the file API") {
  Project project;
  SUBCASE("plain") { project.configure("Ninja"); }
  SUBCASE("with response files") {
    project.configure("Ninja", {"-DCMAKE_NINJA_FORCE_RESPONSE_FILE=ON"});
  }
  checkUnits(project);
  LinkPlan plan = project.plan();
  CHECK(plan.source == "link commands of ninja");
  CHECK(showUnordered(plan) == kPlan);

  project.removeFromBuild("build.ninja");
  plan = project.plan();
  CHECK(plan.source == "CMake file API");
  CHECK(showUnordered(plan) == kPlan);
}

TEST_CASE("a CMake project with several configurations: each is a program of its own") {
  Project project;
  project.configure("Ninja Multi-Config", {"-DCMAKE_CONFIGURATION_TYPES=Debug;Release"});
  std::string byNinja = showUnordered(project.plan());
  CHECK(byNinja.find("exe <build>/sub/Debug/two: "
                     "unit(<build>/sub/CMakeFiles/two.dir/Unity/unity_0_cxx.cxx@"
                     "<build>/sub/CMakeFiles/two.dir/Debug/Unity/unity_0_cxx.cxx.o) ") !=
        std::string::npos);
  CHECK(byNinja.find("shared <build>/Release/libsh.so.1.2: "
                     "unit(sh.cpp@<build>/CMakeFiles/sh.dir/Release/sh.cpp.o)\n") !=
        std::string::npos);
  CHECK(byNinja.find("note") == std::string::npos);

  for (const char *file : {"build.ninja", "build-Debug.ninja", "build-Release.ninja"})
    project.removeFromBuild(file);
  LinkPlan plan = project.plan();
  CHECK(plan.source == "CMake file API");
  CHECK(showUnordered(plan) == byNinja);
}

TEST_CASE("a CMake project elsewhere, or reached through a link: the same names and fingerprints") {
  auto facts = [](const Project &project) {
    std::string result;
    for (const Unit &unit : project.database().units)
      result += unit.name + " " + toHex(commandFingerprint(unit.command, project.paths())) + "\n";
    LinkPlan plan = project.plan();
    for (const Binary &binary : plan.binaries)
      result += llvm::join(binary.flags, " ") + "\n";
    return result + show(plan);
  };
  Project here, there;
  SUBCASE("elsewhere") {}
  SUBCASE("through a link") {
    there.tree.link("linked", there.name);
    there.name = "linked";
  }
  for (Project *project : {&here, &there})
    project->configure("Ninja");
  CHECK(facts(here) == facts(there));
}
