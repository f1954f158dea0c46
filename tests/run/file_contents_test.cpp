#include "run/observed_files.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("files: whether they are what they were when a test used them") {
  TemporaryDirectory directory;
  const std::string file = directory.write("d/file", "text"), list = directory / "d",
                    none = directory / "none";
  const Fingerprint text = fingerprintOf("text"), names = listingOf(list).value();
  struct Row {
    FileUse use;
    bool before, whenChanged, whenGone; ///< the content, then file and directory
  };
  const Row rows[] = {
      {{FileUseKind::Read, file, text}, true, false, false},
      {{FileUseKind::Read, file, {}}, false, false, false}, // what it was is not known
      {{FileUseKind::Executed, file, text}, true, false, false},
      {{FileUseKind::Listed, list, names}, true, false, false},
      {{FileUseKind::Found, list, {}}, true, true, false},
      {{FileUseKind::Missing, none, {}}, true, true, true},
      {{FileUseKind::Missing, file, {}}, false, false, true},
      {{FileUseKind::Written, file, {}}, true, true, true},
  };
  auto check = [&](bool Row::*expected) {
    FileStates files;
    for (const Row &row : rows) {
      CAPTURE(row.use.path);
      CAPTURE(static_cast<int>(row.use.kind));
      CHECK(isAsUsed(row.use, row.use.path, files) == row.*expected);
    }
  };
  check(&Row::before);
  directory.write("d/file", "test");
  directory.write("d/another", "");
  check(&Row::whenChanged);
  std::filesystem::remove_all(list);
  check(&Row::whenGone);
}

TEST_CASE("files: what was found or missing is of the same kind") {
  TemporaryDirectory directory;
  directory.write("d/file", "");
  const std::string place = directory / "place";
  auto put = [&](const std::string &what) {
    std::filesystem::remove_all(place);
    if (what == "directory")
      std::filesystem::create_directory(place);
    else if (what == "file")
      directory.write("place", "");
    else if (what != "nothing")
      std::filesystem::create_symlink(what, place);
  };
  // Others are links: a directory by two names, a file, and nowhere by two names.
  const char *all[] = {"nothing", "file", "directory", "d", "d/../d", "d/file", "none", "none2"};
  for (const char *then : all)
    for (const char *now : all) {
      CAPTURE(std::string(then));
      CAPTURE(std::string(now));
      put(then);
      Fingerprint kind = kindAt(place).value_or(Fingerprint{});
      FileUseKind use = std::filesystem::exists(place) ? FileUseKind::Found : FileUseKind::Missing;
      put(now);
      FileStates files;
      CHECK(isAsUsed({use, place, kind}, place, files) == (then == now));
    }
  put("file"); // what was found is not known but for being no file
  FileStates files;
  CHECK(!isAsUsed({FileUseKind::Found, place, {}}, place, files));
}
