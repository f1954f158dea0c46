#pragma once

#include "diff/delta.h"

#include <string>

namespace retest {

/// A delta in numbers.
struct DeltaCounts {
  std::size_t changed = 0, added = 0, removed = 0, moved = 0; ///< functions
  std::size_t edges = 0;
  std::size_t dangerousFunctions = 0; ///< with at least one dangerous edge
  std::size_t classEntries = 0;
  std::size_t programs = 0; ///< of which every run may behave differently
  std::size_t doubts = 0;
  std::size_t baselineFunctions = 0, baselineEdges = 0; ///< of all
};

DeltaCounts countsOf(const Delta &delta, const Project &baseline);

/// Whether anything differs, dangerous or not.
bool isEmpty(const Delta &delta);

/// "3 functions changed, 2 added, 5 dangerous edges in 2 functions, 1 doubt".
std::string summaryOf(const DeltaCounts &counts);

/// "1 edge", "2 edges", "2 class entries".
std::string counted(std::size_t count, const char *one, const char *many = nullptr);

} // namespace retest
