#include "graph/freshness.h"

#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace retest;

namespace {

/// A tree with a.h and b.h, and a unit that read both and looked for inc/a.h in vain.
struct Tree {
  TemporaryDirectory directory;
  FileTable table{{"a.h", "b.h", "inc/a.h", "sub/"},
                  {{PathId{0}, fingerprintOf("A")}, {PathId{1}, fingerprintOf("B")}}};
  UnitFiles unit{{FileVersionId{0}, FileVersionId{1}}, {PathId{2}, PathId{3}}};

  Tree() {
    std::filesystem::create_directory(directory / "sub");
    directory.write("a.h", "A");
    directory.write("b.h", "B");
  }

  std::string pathOf(llvm::StringRef name) const { return directory / name.str(); }
  bool isUpToDate(const UnitFiles &files) {
    FileStates states;
    return Freshness(table, states, [&](llvm::StringRef name) { return pathOf(name); })
        .isUpToDate(files);
  }
};

} // namespace

TEST_CASE("freshness: one row per change of the tree") {
  struct Row {
    const char *change;
    void (*make)(const TemporaryDirectory &);
    bool isUpToDate;
  };
  const Row rows[] = {
      {"none", [](const TemporaryDirectory &) {}, true},
      {"touched", [](const TemporaryDirectory &tree) { tree.write("a.h", "A"); }, true},
      {"unrelated file", [](const TemporaryDirectory &tree) { tree.write("c.h", "A"); }, true},
      {"edited", [](const TemporaryDirectory &tree) { tree.write("b.h", "C"); }, false},
      {"removed", [](const TemporaryDirectory &tree) { std::filesystem::remove(tree / "b.h"); },
       false},
      {"became a directory",
       [](const TemporaryDirectory &tree) {
         std::filesystem::remove(tree / "b.h");
         std::filesystem::create_directory(tree / "b.h");
       },
       false},
      {"header that shadows another appeared",
       [](const TemporaryDirectory &tree) { tree.write("inc/a.h", "A"); }, false},
      {"directory of a missed header appeared",
       [](const TemporaryDirectory &tree) { tree.write("inc/other.h", ""); }, true},
      {"directory in the place of a missed header",
       [](const TemporaryDirectory &tree) { tree.write("inc/a.h/x", ""); }, false},
      {"directory where a file was looked for is gone",
       [](const TemporaryDirectory &tree) { std::filesystem::remove(tree / "sub"); }, false},
      {"file in the place of that directory",
       [](const TemporaryDirectory &tree) {
         std::filesystem::remove(tree / "sub");
         tree.write("sub", "");
       },
       false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.change);
    Tree tree;
    row.make(tree.directory);
    CHECK(tree.isUpToDate(tree.unit) == row.isUpToDate);
  }
}

TEST_CASE("freshness: a number that the table does not have counts as changed") {
  Tree tree;
  CHECK(tree.isUpToDate({}));
  CHECK(!tree.isUpToDate({{FileVersionId{2}}, {}}));
  CHECK(!tree.isUpToDate({{}, {PathId{4}}}));
  tree.table.versions[0].path = PathId{};
  CHECK(!tree.isUpToDate({{FileVersionId{0}}, {}}));
}
