#pragma once

#include "graph/unit_graph.h"

namespace retest {

/// What UnitGraph::fingerprint of a unit that parses is: a hash of everything in it that has a
/// meaning, positions and the unit's own name apart. The fingerprints of its parts must be set.
Fingerprint fingerprintOf(const UnitGraph &unit, const Names &names);

} // namespace retest
