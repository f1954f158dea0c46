#include "build/project_paths.h"
#include "tests/build/temporary_tree.h"

#include <doctest/doctest.h>

#include <string>

using namespace retest;

TEST_CASE("project paths: names by text alone, one row per place") {
  const ProjectPaths paths{"/srv/me/app", "/var/build"};
  struct Row {
    std::string path, name;
  };
  const Row rows[] = {
      {"/srv/me/app/src/lib.cpp", "src/lib.cpp"},
      {"/srv/me/app", "."},
      {"/srv/me/app/a//b/./c.h", "a/b/c.h"},
      {"/srv/me/app/missing/../c.h", "c.h"},
      {"/srv/me/application/a.cpp", "/srv/me/application/a.cpp"},
      {"/var/build/gen/a.h", "<build>/gen/a.h"},
      {"/var/build", "<build>"},
      {"/var/builder/a.h", "/var/builder/a.h"},
      {"/srv/me/app/mit blank/ä.cpp", "mit blank/ä.cpp"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.path);
    CHECK(paths.nameOf(row.path) == row.name);
    CHECK(paths.nameOf(paths.pathOf(row.name)) == row.name);
    CHECK(paths.contains(row.path) == (row.name[0] != '/'));
  }
}

TEST_CASE("project paths: the inner one of root and build directory names a file") {
  struct Row {
    std::string root, build, path, name;
  };
  const Row rows[] = {
      {"/srv/app", "/srv/app/build", "/srv/app/build/gen.h", "<build>/gen.h"},
      {"/srv/app", "/srv/app/build", "/srv/app/build", "<build>"},
      {"/srv/app", "/srv/app/build", "/srv/app/builder/a.h", "builder/a.h"},
      {"/srv/app", "/srv/app/build", "/srv/app/a.h", "a.h"},
      {"/srv/app", "/srv/app", "/srv/app/gen.h", "gen.h"},
      {"/srv/app", "/srv/app", "/srv/app", "."},
      {"/srv/app", "/srv", "/srv/app/a.h", "a.h"},
      {"/srv/app", "/srv", "/srv/gen.h", "<build>/gen.h"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.root + " " + row.build + " " + row.path);
    const ProjectPaths paths{row.root, row.build};
    CHECK(paths.nameOf(row.path) == row.name);
    CHECK(paths.pathOf(row.name) == row.path);
  }
}

TEST_CASE("project paths: a checkout reached through a link has the same names") {
  TemporaryTree tree;
  tree.write("real/src/a.cpp", "");
  tree.write("elsewhere/tool.h", "");
  tree.write("outside/gen.h", "");
  tree.link("linked", "real");
  tree.link("sources", "real/src");
  tree.link("real/third_party", tree.at("elsewhere"));
  tree.link("outside-link", "outside");
  const ProjectPaths paths{tree.at("real"), tree.at("outside")};

  CHECK(paths.nameOf(tree.at("linked/src/a.cpp")) == "src/a.cpp");
  CHECK(paths.nameOf(tree.at("sources/a.cpp")) == "src/a.cpp");
  CHECK(paths.nameOf(tree.at("outside-link/gen.h")) == "<build>/gen.h");
  // A file that is not there: headers that were looked for in vain are named, too.
  CHECK(paths.nameOf(tree.at("linked/src/none.h")) == "src/none.h");
  CHECK(paths.nameOf(tree.at("sources/none.h")) == "src/none.h");
  // A link inside the checkout is a part of it, whatever it leads to.
  CHECK(paths.nameOf(tree.at("real/third_party/tool.h")) == "third_party/tool.h");
  CHECK(paths.nameOf(tree.at("linked/third_party/tool.h")) == "third_party/tool.h");
  // The kernel's "..": out of the link's target, not out of the link.
  CHECK(paths.nameOf(tree.at("real/third_party/../outside/gen.h")) == "<build>/gen.h");
}

namespace {

std::string rootOf(const TemporaryTree &tree, llvm::StringRef build) {
  auto paths = findProject(tree.at(build));
  if (!paths)
    return "error: " + llvm::toString(paths.takeError());
  llvm::StringRef root = paths->root;
  return root.consume_front(tree.path) ? root.str() : paths->root;
}

} // namespace

TEST_CASE("find project: the root is the git work tree around CMake's source directory") {
  TemporaryTree tree;
  auto configure = [&](llvm::StringRef build, llvm::StringRef source) {
    tree.write(build.str() + "/CMakeCache.txt",
               "# comment\nCMAKE_HOME_DIRECTORY:INTERNAL=" + tree.directory(source) + "\n");
  };
  tree.directory("git/.git");
  configure("git/build", "git/cpp");
  configure("elsewhere", "git/cpp");
  configure("plain/build", "plain/source dir");

  // A submodule, whose .git is a file, inside a work tree and inside a linked work tree.
  tree.directory("git/.git/modules/sub");
  tree.write("git/sub/.git", "gitdir: ../.git/modules/sub\n");
  configure("b/sub", "git/sub/cpp");
  tree.write("git/.git/worktrees/wt/commondir", "../..\n");
  tree.write("wt/.git", "gitdir: " + tree.at("git/.git/worktrees/wt") + "\n");
  configure("b/wt", "wt/cpp");
  tree.directory("git/.git/worktrees/wt/modules/sub");
  tree.write("wt/sub/.git", "gitdir: " + tree.at("git/.git/worktrees/wt/modules/sub") + "\n");
  configure("b/wtsub", "wt/sub");
  // A linked work tree inside the main one stands for itself.
  tree.write("git/.git/worktrees/in/commondir", "../..\n");
  tree.write("git/in/.git", "gitdir: " + tree.at("git/.git/worktrees/in") + "\n");
  configure("b/in", "git/in");
  // So does a linked work tree of a submodule.
  tree.write("git/.git/modules/sub/worktrees/sw/commondir", "../..\n");
  tree.write("git/sw/.git", "gitdir: " + tree.at("git/.git/modules/sub/worktrees/sw") + "\n");
  configure("b/sw", "git/sw");
  // A submodule whose superproject is gone.
  tree.write("lost/sub/.git", "gitdir: ../.git/modules/sub\n");
  configure("b/lost", "lost/sub/cpp");

  struct Row {
    std::string build, root;
  };
  const Row rows[] = {
      {"git/build", "/git"}, {"elsewhere", "/git"},   {"plain/build", "/plain/source dir"},
      {"b/sub", "/git"},     {"b/wt", "/wt"},         {"b/wtsub", "/wt"},
      {"b/in", "/git/in"},   {"b/lost", "/lost/sub"}, {"b/sw", "/git/sw"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.build);
    CHECK(rootOf(tree, row.build) == row.root);
  }
}

TEST_CASE("find project: without CMakeCache.txt the sources tell the root") {
  TemporaryTree tree;
  tree.write("p/src/a/x.cpp", "");
  tree.write("p/src/ab/y.cpp", "");
  tree.write("p/build/compile_commands.json",
             R"([{"directory": ".", "file": "../src/a/x.cpp", "command": "c++ -c x.cpp"},
                 {"directory": ".", "file": "gen/z.cpp", "command": "c++ -c z.cpp"},
                 {"directory": ".", "file": "../src/ab/y.cpp", "command": "c++ -c y.cpp"}])");
  CHECK(rootOf(tree, "p/build") == "/p/src");
  tree.directory("p/.git");
  CHECK(rootOf(tree, "p/build") == "/p");
}

TEST_CASE("find project: links are resolved, and a given root counts") {
  TemporaryTree tree;
  tree.directory("real/build");
  tree.link("linked", "real");
  auto paths = findProject(tree.at("linked/build"), tree.at("linked"));
  REQUIRE(bool(paths));
  CHECK(paths->root == tree.at("real"));
  CHECK(paths->build == tree.at("real/build"));
}

TEST_CASE("find project: what is missing is said") {
  TemporaryTree tree;
  tree.write("plain-file", "");
  CHECK(rootOf(tree, "plain-file") ==
        "error: " + tree.at("plain-file") +
            ": a file, not a build directory; name the directory it is in with -p DIR");
  CHECK(rootOf(tree, "none") ==
        "error: " + tree.at("none") + ": no such build directory; configure one with `cmake -B " +
            tree.at("none") + " -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, or name another with -p DIR");
  tree.write("moved/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/nowhere/at all\n");
  CHECK(rootOf(tree, "moved") == "error: " + tree.at("moved") +
                                     ": configured for /nowhere/at all, which does not exist; "
                                     "configure the build directory again");
}

TEST_CASE("find project: links to the build directory") {
  TemporaryTree tree;
  tree.directory("git/.git");
  tree.write("outside/CMakeCache.txt",
             "CMAKE_HOME_DIRECTORY:INTERNAL=" + tree.directory("git") + "\n");
  tree.write("outside/compile_commands.json", "[]");
  tree.link("git/build", tree.at("outside"));
  tree.link("git/compile_commands.json", tree.at("outside/compile_commands.json"));
  for (const char *build : {"outside", "git/build", "git"}) {
    CAPTURE(build);
    auto paths = findProject(tree.at(build));
    REQUIRE(!!paths);
    CHECK(paths->root == tree.at("git"));
    CHECK(paths->build == tree.at("outside"));
    CHECK(paths->nameOf(tree.at("outside/gen.h")) == "<build>/gen.h");
  }
  CHECK(findProject(tree.at("git/build"))->nameOf(tree.at("git/build/gen.h")) == "<build>/gen.h");
}
