#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <string>
#include <vector>

namespace retest {

/// A line of the baseline beside the line of the current version that stands for it.
struct LinePair {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t baseline = kNone, current = kNone; ///< indices; kNone: the other side is alone
  bool isSame = false;

  auto operator<=>(const LinePair &) const = default;
};

/// Two texts beside each other, in order: equal lines in pairs, and between them what differs, side
/// by side as far as it goes. Blanks at both ends of a line do not count.
///
/// Cost: the product of the lengths between the first and the last difference; texts for which
/// that is too much are paired from the top.
std::vector<LinePair> alignedLines(llvm::ArrayRef<std::string> baseline,
                                   llvm::ArrayRef<std::string> current);

} // namespace retest
