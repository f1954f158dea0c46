#include "run/file_snapshot.h"

#include "run/observed_files.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("file snapshot: what a program changed of what it had used") {
  TemporaryDirectory directory;
  const std::string file = directory.write("d/file", "text"), list = directory / "d",
                    none = directory / "none";
  const Fingerprint text = fingerprintOf("text"), kind = kindAt(list).value(), other{1, 2};
  std::filesystem::create_symlink("nowhere", directory / "link");
  const std::string link = directory / "link";
  struct Row {
    const char *use;
    FileUse was;
    bool wasRewritten;
  };
  const Row rows[] = {
      {"read, and not changed", {FileUseKind::Read, file, {}}, false},
      {"read, and written as it was", {FileUseKind::Read, file, text}, false},
      {"read, and changed", {FileUseKind::Read, file, other}, true},
      {"read, and removed", {FileUseKind::Read, none, text}, true},
      {"executed, and not changed", {FileUseKind::Executed, file, {}}, false},
      {"executed, and written as it was", {FileUseKind::Executed, file, text}, false},
      {"executed, and changed", {FileUseKind::Executed, file, other}, true},
      {"executed, and removed", {FileUseKind::Executed, none, text}, true},
      {"listed, and not changed", {FileUseKind::Listed, list, {}}, false},
      {"listed, with the same names", {FileUseKind::Listed, list, listingOf(list).value()}, false},
      {"listed, and changed", {FileUseKind::Listed, list, other}, true},
      {"missing", {FileUseKind::Missing, none, {}}, false},
      {"missing, and made", {FileUseKind::Missing, file, {}}, true},
      {"missing behind a link", {FileUseKind::Missing, link, kindAt(link).value()}, false},
      {"missing, and made a link that leads nowhere", {FileUseKind::Missing, link, {}}, true},
      {"found", {FileUseKind::Found, list, kind}, false},
      {"found, and removed", {FileUseKind::Found, none, kind}, true},
      {"found, and replaced by a file", {FileUseKind::Found, file, kind}, true},
      {"written", {FileUseKind::Written, file, {}}, false},
  };
  for (const Row &row : rows) {
    CAPTURE(std::string(row.use));
    FileSnapshot snapshot({row.was});
    CHECK(snapshot.wasRewritten() == row.wasRewritten);
    CHECK(snapshot.isStillTrue());
  }
}

TEST_CASE("file snapshot: whether files are as they were") {
  struct Row {
    const char *change;
    FileUseKind kind;
    const char *name;
    bool isStillTrue;
  };
  const Row rows[] = {
      {"content", FileUseKind::Read, "d/file", false},
      {"content", FileUseKind::Executed, "d/file", false},
      {"content", FileUseKind::Listed, "d", true},
      {"content", FileUseKind::Written, "d/file", true},
      {"names", FileUseKind::Read, "d/file", true},
      {"names", FileUseKind::Listed, "d", false},
      {"names", FileUseKind::Missing, "d/new", false},
      {"names", FileUseKind::Found, "d", true},
      {"kind", FileUseKind::Found, "d", false},
      {"kind", FileUseKind::Read, "d/file", false},
      {"link", FileUseKind::Missing, "link", false},
  };
  for (const Row &row : rows) {
    CAPTURE(std::string(row.change));
    CAPTURE(std::string(row.name));
    TemporaryDirectory directory;
    directory.write("d/file", "text");
    FileSnapshot snapshot({{row.kind, directory / row.name, {}}});
    CHECK(snapshot.isStillTrue());
    const std::string change = row.change;
    if (change == "content")
      directory.write("d/file", "test");
    else if (change == "names")
      directory.write("d/new", "");
    else if (change == "link")
      std::filesystem::create_symlink("nowhere", directory / "link");
    else {
      std::filesystem::remove_all(directory / "d");
      directory.write("d", "");
    }
    CHECK(snapshot.isStillTrue() == row.isStillTrue);
  }
}
