#pragma once

#include "diff/flow_walk.h"

#include <random>
#include <string>

namespace retest {

// What the walk must find, found in other ways. Each function returns what is wrong, or "".

/// What a node uses counts as changed if it is called `changed`.
std::optional<Use> useOfChanged(const Node &node, const Names &names);

/// That the delta is well formed: sorted, each edge once; matched pairs say the same; every edge
/// out of a matched node is matched or dangerous, never both.
std::string checkForm(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta);

/// That the delta is exactly what a fixpoint over all pairs gives, in the plainest way and without
/// regard to cost. Only for graphs without locals: a renaming depends on the order of the walk.
std::string checkExact(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta,
                       const Names &names);

/// Runs both graphs on the same random input and compares what they write. The first difference
/// must come after a dangerous edge.
///
/// A node computes with its locals and writes what it says, what it uses and their values; the
/// values decide which way is taken. Nothing here compares nodes or edges.
std::string checkRun(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta,
                     const Names &names, std::uint64_t input);

} // namespace retest
