#include "select/shared_files.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace retest;

namespace {

std::string show(const std::vector<SharedFile> &files) {
  auto numbers = [](const std::vector<TestId> &tests) {
    std::vector<std::uint32_t> values;
    for (TestId test : tests)
      values.push_back(test.value);
    return fmt::format("{}", fmt::join(values, " "));
  };
  std::string text;
  for (const SharedFile &file : files)
    text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : ", ", file.path,
                        numbers(file.writers), numbers(file.readers));
  return text;
}

} // namespace

TEST_CASE("shared files: who reads what others write") {
  using Kind = FileUseKind;
  const UsedFile writes{Kind::Written, "out/x", {{0}}};
  struct Row {
    const char *what;
    UsedFile read;
    const char *shared;
  };
  const Row rows[] = {
      {"the file itself", {Kind::Read, "out/x", {{1}, {2}}}, "out/x: 0 -> 1 2"},
      {"it was not there yet", {Kind::Missing, "out/x", {{1}}}, "out/x: 0 -> 1"},
      {"what is below it", {Kind::Read, "out/x/y", {{1}}}, "out/x/y: 0 -> 1"},
      {"its directory is listed", {Kind::Listed, "out", {{1}}}, "out: 0 -> 1"},
      {"its directory is found", {Kind::Found, "out", {{1}}}, ""},
      {"another file", {Kind::Read, "out/xy", {{1}}}, ""},
      {"another directory", {Kind::Listed, "ou", {{1}}}, ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(show(sharedFiles({writes, row.read})) == row.shared);
  }
}
