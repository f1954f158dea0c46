#pragma once

#include "graph/program_graph.h"

namespace retest {

/// The same unit in two versions; one of them is not valid for a unit that was added or removed.
struct UnitPair {
  UnitId baseline, current;

  auto operator<=>(const UnitPair &) const = default;
};

/// The units that differ in anything that has a meaning: the first phase of the comparison. One
/// look at each unit, none at what is inside, except that a unit which was removed and one that was
/// added are a pair if they define mostly the same: the file was renamed.
std::vector<UnitPair> changedUnits(const Project &baseline, const Project &current,
                                   const Names &names);

/// Units that did not change, but enter or leave a binary. Each is one half of a pair.
std::vector<UnitPair> relinkedUnits(const Project &baseline, const Project &current);

} // namespace retest
