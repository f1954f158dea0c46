#pragma once

#include "graph/flow_graph.h"

#include <string>
#include <vector>

namespace retest {

/// A flow graph as text, so that a test shows its input.
///
///     in -> x>0 ; x>0 -T-> call f() ; call f() => out ; x>0 -F-> out ; call f() ~> raise
///
/// `->` is a flow edge, `-T->` one with a label, `=>` a path edge, `~>` an exception edge. Nodes
/// are numbered by first mention, after the entry `in` (0) and the exit `out` (1); a node's
/// fingerprint comes from its text. Some texts say what a node is:
///
///     raise, terminate           exceptional exit, std::terminate
///     try ..., catch ...         Try, Catch
///     call f(), cleanup f()      a direct call; the same while an exception passes
///     virtual S: S::m()          a virtual call of S::m() on a receiver of static class S
///     indirect p                 a call through a pointer
///     address f(), use v, make C, layout C, hierarchy C      a block with that use
///     x = y [0 1]                a node that mentions locals 0 and 1
FlowGraph flow(llvm::StringRef text, Names &names);

/// The nodes of that graph as they are written, by number.
std::vector<std::string> nodeTexts(llvm::StringRef text);
/// One of its edges as it is written.
std::string edgeText(const FlowEdge &edge, const std::vector<std::string> &nodes,
                     const Names &names);

} // namespace retest
