#pragma once

#include "graph/program_graph.h"
#include "graph/shared_unit.h"

namespace retest {

/// Brings the contents of units into the pools of a project; programs are not linked yet.
///
/// Two functions are one if they are equal in every part, positions included: an equal
/// fingerprint alone would let `explain` show the lines of another unit.
/// REQUIRES: all units share `names`, and no two have the same name.
Project poolUnits(std::vector<SharedUnit> units, const Names &names);

} // namespace retest
