#include "build/coverage_build.h"
#include "tests/cli/small_project.h"

#include <filesystem>
#include <fstream>

using namespace retest;

namespace {

/// A CMake project with one program.
struct CMakeProject {
  TemporaryDirectory root;

  CMakeProject() {
    root.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(small CXX)\n"
                                 "set(CMAKE_CXX_FLAGS \"-Wall\")\nadd_subdirectory(sub)\n");
    root.write("sub/CMakeLists.txt", "add_executable(program main.cpp)\n");
    root.write("sub/main.cpp", "int main() {}\n");
  }

  Outcome init(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"-C", root / "sub", "init"});
    std::filesystem::path before = std::filesystem::current_path();
    Outcome outcome = runRetest(arguments);
    std::filesystem::current_path(before);
    return outcome;
  }

  std::string read(const std::string &name) {
    std::ifstream file(root / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

} // namespace

TEST_CASE("init: a build directory with counters, and nothing of the project changed") {
  CMakeProject project;
  Outcome outcome = project.init();
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.says("coverage build in " + project.root / "build-retest"));
  std::string commands = project.read("build-retest/compile_commands.json");
  CHECK(commands.find("clang++-19 -Wall") != std::string::npos); // the project's own flags
  CHECK(commands.find("-fprofile-instr-generate=/dev/null -fcoverage-mapping") !=
        std::string::npos);
  CHECK(coverageKindOf(project.root / "build-retest") == CoverageKind::Clang);
  CHECK(std::filesystem::exists(project.root / "build-retest/.cmake/api/v1/reply"));
  CHECK(project.read("build-retest/.gitignore") == "*\n");
  CHECK(std::distance(std::filesystem::directory_iterator(project.root.path()), {}) == 3);
}

TEST_CASE("init: again, and with options for CMake") {
  CMakeProject project;
  REQUIRE(project.init().code == 0);
  Outcome again = project.init({"--", "-DCMAKE_BUILD_TYPE=Debug"});
  INFO(again.err);
  CHECK(again.code == 0);
  std::string commands = project.read("build-retest/compile_commands.json");
  CHECK(commands.find(" -g ") != std::string::npos);
  CHECK(commands.find("-fcoverage-mapping") != std::string::npos);
  Outcome other = project.init({"--gcc"});
  CHECK(other.code == 3);
  CHECK(other.warns("prepared for Clang"));
}

TEST_CASE("init: with GCC, in a directory of another name") {
  CMakeProject project;
  Outcome outcome = project.init({"--gcc", "-p", "../gcov"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(project.read("gcov/compile_commands.json").find("g++ -Wall --coverage") !=
        std::string::npos);
  CHECK(coverageKindOf(project.root / "gcov") == CoverageKind::Gcc);
}

TEST_CASE("init: what it does not touch, and what it cannot do") {
  CMakeProject project;
  project.root.write("build/CMakeCache.txt", "mine\n");
  Outcome theirs = project.init({"-p", "../build"});
  CHECK(theirs.code == 3);
  CHECK(theirs.warns("did not make and leaves alone"));
  CHECK(project.read("build/CMakeCache.txt") == "mine\n");

  project.root.write("sub/CMakeLists.txt", "message(FATAL_ERROR \"no such library\")\n");
  Outcome fails = project.init();
  CHECK(fails.code == 3);
  CHECK(fails.warns("no such library"));

  TemporaryDirectory empty;
  std::filesystem::path before = std::filesystem::current_path();
  Outcome none = runRetest({"-C", empty.path(), "init"});
  std::filesystem::current_path(before);
  CHECK(none.code == 3);
  CHECK(none.warns("no CMakeLists.txt or meson.build here or above"));
}
