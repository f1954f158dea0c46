#pragma once

#include "graph/program_graph.h"

namespace retest {

/// The same unit in two versions; one of them is not valid for a unit that was added or removed.
struct UnitPair {
  UnitId baseline, current;

  auto operator<=>(const UnitPair &) const = default;
};

/// Which units stand for each other, and which of them differ.
struct MatchedUnits {
  std::vector<UnitId> counterparts; ///< by baseline unit; not valid if it is gone
  std::vector<UnitPair> changed;    ///< that differ in anything that has a meaning

  /// Whether the unit of the baseline is in `changed`; by baseline unit.
  std::vector<bool> isChanged;
};

/// The first phase of the comparison: one look at each unit, none at what is inside, except that a
/// unit which was removed and one that was added are a pair if they define mostly the same: the
/// file was renamed. Of several that do, one in the same program.
MatchedUnits matchUnits(const Project &baseline, const Project &current, const Names &names);

} // namespace retest
