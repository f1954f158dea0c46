#pragma once

#include "graph/program_graph.h"

namespace retest {

/// Moves the contents of units into shared pools; programs are not linked yet.
///
/// Two functions are one if they are equal in every part, positions included: an equal
/// fingerprint alone would let `explain` show the lines of another unit.
/// REQUIRES: all units share `names`, and no two have the same name.
Project poolUnits(std::vector<UnitGraph> units, const Names &names);

} // namespace retest
