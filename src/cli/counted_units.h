#pragma once

#include "cli/tree.h"
#include "graph/link_program.h"

#include <string>
#include <vector>

namespace retest {

// Which units of a project have counters, by the flags that they are compiled with.

/// Whether gcov can be relied on: GCC counts optimised code otherwise than it is written.
bool isCountedByGcc(const Unit &unit);

/// Whether a process that is killed may take counts with it, which were in registers.
bool mayLoseCounts(const Unit &unit);

/// By UnitId: both lists are sorted by name, but units that are not linked are in neither program.
std::vector<bool> countedUnits(const Tree &tree, const Project &project, const Names &names);

/// Their objects, by UnitId.
std::vector<std::string> objectsOf(const Tree &tree, const Project &project, const Names &names);

} // namespace retest
