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
