#include "report/aligned_lines.h"

#include <llvm/ADT/StringRef.h>

namespace retest {
namespace {

using Lines = llvm::ArrayRef<std::string>;

bool isEqual(llvm::StringRef a, llvm::StringRef b) { return a.trim() == b.trim(); }

class Alignment {
public:
  Alignment(Lines baseline, Lines current) : baseline_(baseline), current_(current) {}

  std::vector<LinePair> run() {
    std::uint32_t a = 0, b = 0, endA = baseline_.size(), endB = current_.size();
    while (a < endA && b < endB && isEqual(baseline_[a], current_[b]))
      pairs_.push_back({a++, b++, true});
    std::uint32_t tail = 0;
    while (a < endA && b < endB && isEqual(baseline_[endA - 1], current_[endB - 1]))
      --endA, --endB, ++tail;
    middle(a, endA, b, endB);
    for (std::uint32_t i = 0; i < tail; ++i)
      pairs_.push_back({endA + i, endB + i, true});
    return std::move(pairs_);
  }

private:
  /// Longest common subsequence, from the back, so that the walk runs forwards.
  void middle(std::uint32_t a, std::uint32_t endA, std::uint32_t b, std::uint32_t endB) {
    constexpr std::size_t kMost = 4'000'000;
    std::size_t rows = endA - a, columns = endB - b;
    if (rows * columns > kMost)
      return beside(a, endA, b, endB);
    std::vector<std::uint32_t> lengths((rows + 1) * (columns + 1), 0);
    auto length = [&](std::size_t i, std::size_t j) -> std::uint32_t & {
      return lengths[i * (columns + 1) + j];
    };
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t j = columns; j-- > 0;)
        length(i, j) = isEqual(baseline_[a + i], current_[b + j])
                           ? length(i + 1, j + 1) + 1
                           : std::max(length(i + 1, j), length(i, j + 1));
    std::size_t i = 0, j = 0, doneA = 0, doneB = 0;
    while (i < rows && j < columns) {
      if (isEqual(baseline_[a + i], current_[b + j])) {
        beside(a + doneA, a + i, b + doneB, b + j);
        pairs_.push_back(
            {static_cast<std::uint32_t>(a + i), static_cast<std::uint32_t>(b + j), true});
        doneA = ++i;
        doneB = ++j;
      } else if (length(i + 1, j) >= length(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
    beside(a + doneA, endA, b + doneB, endB);
  }

  /// Lines that have no counterpart, paired from the top.
  void beside(std::uint32_t a, std::uint32_t endA, std::uint32_t b, std::uint32_t endB) {
    while (a < endA || b < endB)
      pairs_.push_back({a < endA ? a++ : LinePair::kNone, b < endB ? b++ : LinePair::kNone, false});
  }

  Lines baseline_, current_;
  std::vector<LinePair> pairs_;
};

} // namespace

std::vector<LinePair> alignedLines(Lines baseline, Lines current) {
  return Alignment(baseline, current).run();
}

} // namespace retest
