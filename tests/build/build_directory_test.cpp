#include "build/build_directory.h"
#include "build/presets.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Chrono.h>
#include <string>

using namespace retest;

namespace {

/// A compile database that was written `age` seconds ago.
void addDatabase(const TemporaryTree &tree, llvm::StringRef directory, int age = 0) {
  std::string path = tree.write((directory + "/compile_commands.json").str(), "[]");
  int file = -1;
  REQUIRE(!llvm::sys::fs::openFileForReadWrite(path, file, llvm::sys::fs::CD_OpenExisting,
                                               llvm::sys::fs::OF_None));
  auto time = std::chrono::system_clock::now() - std::chrono::seconds(age);
  REQUIRE(!llvm::sys::fs::setLastAccessAndModificationTime(
      file, std::chrono::time_point_cast<std::chrono::nanoseconds>(time)));
  REQUIRE(!llvm::sys::fs::closeFile(file));
}

/// The directory found, below the tree, or the error.
std::string found(const TemporaryTree &tree, llvm::StringRef start) {
  auto directory = findBuildDirectory(tree.at(start));
  if (!directory)
    return llvm::toString(directory.takeError());
  llvm::StringRef path = directory->path;
  return path.consume_front(tree.path) ? path.str() : directory->path;
}

} // namespace

TEST_CASE("build directory: one row per usual place") {
  for (std::string place : {"", "/build", "/build/debug", "/out/x64", "/out/build/dev",
                            "/cmake-build-debug", "/build-gcc", "/build/mit blank"}) {
    CAPTURE(place);
    TemporaryTree tree;
    tree.directory("p/src/deep");
    addDatabase(tree, "p" + place);
    CHECK(found(tree, "p") == "/p" + place);
    CHECK(found(tree, "p/src/deep") == "/p" + place);
  }
}

TEST_CASE("build directory: a linked compile_commands.json leads to the build directory") {
  TemporaryTree tree;
  tree.directory("p/src");
  addDatabase(tree, "elsewhere/b");
  addDatabase(tree, "p/build");
  tree.link("p/compile_commands.json", "../elsewhere/b/compile_commands.json");
  CHECK(found(tree, "p/src") == "/elsewhere/b");
}

TEST_CASE("build directory: the newest of several wins, and the choice is told") {
  TemporaryTree tree;
  addDatabase(tree, "p/build/old", 200);
  addDatabase(tree, "p/build-new", 10);
  addDatabase(tree, "p/cmake-build-debug", 100);
  auto directory = findBuildDirectory(tree.at("p"));
  REQUIRE(bool(directory));
  CHECK(directory->path == tree.at("p/build-new"));
  CHECK(directory->note == "using " + tree.at("p/build-new") +
                               ", the newest of 3 build directories (-p DIR chooses another: " +
                               tree.at("p/cmake-build-debug") + ", " + tree.at("p/build/old") +
                               ")");
}

TEST_CASE("build directory: the only one needs no note") {
  TemporaryTree tree;
  addDatabase(tree, "p/build");
  auto directory = findBuildDirectory(tree.at("p"));
  REQUIRE(bool(directory));
  CHECK(directory->note == "");
}

TEST_CASE("build directory: a neighbour's is passed over") {
  TemporaryTree tree;
  tree.directory("mine/.git");
  tree.directory("mine/docs");
  addDatabase(tree, "build");
  tree.write("build/CMakeCache.txt",
             "CMAKE_HOME_DIRECTORY:INTERNAL=" + tree.directory("other") + "\n");
  std::string message = found(tree, "mine/docs");
  CHECK(message.find("passed over: " + tree.at("build") + " (builds " + tree.at("other") + ")") !=
        std::string::npos);
  // Beside the checkout, but of this project: sources in mine/cpp, asked from mine/docs.
  tree.write("build/CMakeCache.txt",
             "CMAKE_HOME_DIRECTORY:INTERNAL=" + tree.directory("mine/cpp") + "\n");
  CHECK(found(tree, "mine/docs") == "/build");
}

TEST_CASE("build directory: nothing found says what was tried and the way out") {
  TemporaryTree tree;
  tree.directory("p");
  tree.link("p/compile_commands.json", "gone.json");
  std::string message = found(tree, "p");
  CHECK(message ==
        tree.at("p") +
            ": no build directory found here or above (looked for "
            "compile_commands.json, also in build, builddir, build-*, cmake-build-*, out, their "
            "subdirectories and the CMake presets)\npassed over: " +
            tree.at("p/compile_commands.json") +
            " (a link to nowhere)\nconfigure with `cmake -B build "
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, or name the directory with -p DIR");
  CHECK(found(tree, "none") ==
        tree.at("none") + ": no such directory; name the build directory with -p DIR");
}

TEST_CASE("build directory: from CMake presets") {
  TemporaryTree tree;
  tree.write("p/CMakePresets.json", R"({
    "version": 3, "include": ["more/presets.json"],
    "configurePresets": [
      {"name": "base", "hidden": true, "generator": "Ninja",
       "binaryDir": "${sourceDir}/../bin/${presetName}-${generator}"},
      {"name": "dev", "inherits": "base"},
      {"name": "rel", "inherits": ["nothing", "dev"]},
      {"name": "own", "binaryDir": "own/${hostSystemName}${dollar}"},
      {"name": "lost", "binaryDir": "$env{RETEST_NO_SUCH_VARIABLE}/x"},
      {"name": "none"}]})");
  tree.write("p/more/presets.json",
             R"({"configurePresets": [{"name": "inc", "binaryDir": "${sourceParentDir}/inc"}]})");
  tree.write("p/CMakeUserPresets.json",
             R"({"configurePresets": [{"name": "user", "inherits": ["base"]}]})");
  CHECK(llvm::join(presetBuildDirectories(tree.at("p")), " ") ==
        tree.at("inc") + " " + tree.at("bin/dev-Ninja") + " " + tree.at("bin/rel-Ninja") + " " +
            tree.at("p/own/Linux$") + " " + tree.at("bin/user-Ninja"));
  addDatabase(tree, "bin/rel-Ninja");
  CHECK(found(tree, "p/more") == "/bin/rel-Ninja");
}
