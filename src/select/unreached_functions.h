#pragma once

#include "diff/delta.h"
#include "graph/program_graph.h"

#include <set>

namespace retest {

/// Functions that only the current version has, if nothing is seen to call them but such functions
/// and those of `idle`: functions of the current version of which no recorded test comes to what
/// changed. By id; written ones alone.
///
///     int used() { return helper(); }    called by a function that did not change: not listed
///     int dead() { return deeper(); }    both are listed
///     int deeper() { return 1; }
///
/// Virtual methods, what external code may call, and what initialisers call is not listed.
std::vector<FunctionId> unreachedFunctions(const Delta &delta, const Project &current,
                                           const Names &names, const std::set<FunctionId> &idle);

} // namespace retest
