#pragma once

#include "diff/delta.h"
#include "graph/program_graph.h"

namespace retest {

/// Functions that only the current version has and that nothing but such functions is seen to call:
/// no recorded test can come to them. By id; written ones alone.
///
///     int used() { return helper(); }    called by a test: will be reached when that test runs
///     int dead() { return deeper(); }    both are listed
///     int deeper() { return 1; }
///
/// Virtual methods, what external code may call, and what tests and initialisers call is reached.
std::vector<FunctionId> unreachedFunctions(const Delta &delta, const Project &current,
                                           const Names &names);

} // namespace retest
