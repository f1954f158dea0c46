#pragma once

#include "graph/unit_graph.h"

namespace retest {

/// Makes a unit that was read with a table of its own (units are read in parallel) refer to a
/// table that all units share. Lists that are sorted by id are sorted again.
void shareNames(UnitGraph &graph, const Names &own, Names &shared);

} // namespace retest
