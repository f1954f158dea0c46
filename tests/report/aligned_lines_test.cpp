#include "report/aligned_lines.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

namespace {

std::vector<std::string> lines(llvm::StringRef text) {
  std::vector<std::string> result;
  for (llvm::StringRef word : llvm::split(text, ','))
    result.push_back(word.str());
  if (text.empty())
    result.clear();
  return result;
}

/// "a=a b|c -|d": equal, differing and lonely lines.
std::string aligned(llvm::StringRef baseline, llvm::StringRef current) {
  std::vector<std::string> a = lines(baseline), b = lines(current), shown;
  for (const LinePair &pair : alignedLines(a, b))
    shown.push_back((pair.baseline == LinePair::kNone ? "-" : a[pair.baseline]) +
                    (pair.isSame ? "=" : "|") +
                    (pair.current == LinePair::kNone ? "-" : b[pair.current]));
  return llvm::join(shown, " ");
}

} // namespace

TEST_CASE("aligned lines: one row for each kind of edit") {
  struct Row {
    const char *edit, *baseline, *current, *expected;
  };
  const Row rows[] = {
      {"nothing", "a,b", "a,b", "a=a b=b"},
      {"one line edited", "a,b,c", "a,x,c", "a=a b|x c=c"},
      {"a line added", "a,c", "a,b,c", "a=a -|b c=c"},
      {"a line removed", "a,b,c", "a,c", "a=a b|- c=c"},
      {"one becomes two", "a,b,c", "a,x,y,c", "a=a b|x -|y c=c"},
      {"two edits with equal lines between", "a,b,c,d,e", "a,x,c,y,e", "a=a b|x c=c d|y e=e"},
      {"indented in another way", "a,  b", "a,b", "a=a   b=b"},
      {"one side is empty", "", "a,b", "-|a -|b"},
      {"both are", "", "", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    CHECK(aligned(row.baseline, row.current) == row.expected);
  }
}

TEST_CASE("aligned lines: texts too long to compare are paired from the top") {
  std::vector<std::string> a, b;
  for (int i = 0; i < 3000; ++i) {
    a.push_back("a" + std::to_string(i));
    b.push_back("b" + std::to_string(i));
  }
  std::vector<LinePair> pairs = alignedLines(a, b);
  REQUIRE(pairs.size() == 3000);
  CHECK(pairs[7] == LinePair{7, 7, false});
}
