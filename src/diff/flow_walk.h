#pragma once

#include "diff/rules.h"
#include "graph/flow_graph.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <vector>

namespace retest {

/// Why two like edges lead to different places.
enum class FlowChange : std::uint8_t {
  Node,     ///< the nodes say different things
  Local,    ///< the same thing, about another local
  Use,      ///< the same thing, about a class or variable that changed
  Removed,  ///< the current node has no such edge
  Added,    ///< the current node has an edge that takes from this one
  TooLarge, ///< the walk was given up
};

/// A dangerous edge of one function.
struct FlowDifference {
  std::uint32_t edge = 0; ///< index in FlowGraph::edges of the baseline
  FlowChange change = FlowChange::Node;
  /// The nodes that differ. Removed: the origins of the edge. Added: the origin, and where the new
  /// edge leads.
  NodeId baselineNode;
  NodeId currentNode;
  Use use; ///< for FlowChange::Use

  auto operator<=>(const FlowDifference &) const = default;
};

struct NodePair {
  NodeId baseline, current;

  auto operator<=>(const NodePair &) const = default;
};

struct EdgePair {
  std::uint32_t baseline, current; ///< indices in FlowGraph::edges

  auto operator<=>(const EdgePair &) const = default;
};

/// What the walk over two flow graphs finds.
struct FlowDelta {
  std::vector<FlowDifference> dangerous; ///< sorted by edge, one for each edge
  /// Set if every way through the function is dangerous: its `edge` means nothing.
  std::optional<FlowDifference> entry;
  /// Which nodes and edges stand for which, along paths without a dangerous edge. Sorted. A node
  /// may have several counterparts (a duplicated tail).
  std::vector<NodePair> nodes;
  std::vector<EdgePair> edges;

  bool isEmpty() const { return dangerous.empty() && !entry; }
};

/// A use of something that changed; nothing if there is none.
using ChangedUse = llvm::function_ref<std::optional<Use>(const Node &)>;

/// Finds the baseline edges after which the current function may behave differently.
///
/// The walk starts at both entries and moves through the two flow graphs in step, following edges
/// with equal kinds and labels. While the nodes it meets say the same thing, a test on this path
/// has seen nothing new. An edge whose two targets differ is *dangerous*: each test that crossed
/// it must run again. The walk stops there, since a test gets past that edge only by crossing it
/// or by a path that is walked on its own.
///
///     baseline   x>0 -T-> ret 1      current   x>0 -T-> ret 9
///                x>0 -F-> ret 2                x>0 -F-> ret 2
///     dangerous: { x>0 -T-> ret 1 }
///
/// Each pair (baseline node, current node) is visited once, so loops end. A case that only the
/// current switch has makes the baseline `default` edge dangerous, because its values used to go
/// there; any other new edge takes from all edges of its node, except that a call which may now
/// throw takes from none: whether it throws is decided, and seen, inside the callee.
///
/// Locals may be renamed: one renaming must fit all nodes that the walk matches. (Parameters and
/// captures are told by their place, in the text of a node.)
///
/// Cost: linear in practice. Graphs can be built whose pairs grow with the product of their sizes;
/// the walk gives up long before, and then the whole function is dangerous.
FlowDelta walkFlow(const FlowGraph &baseline, const FlowGraph &current, const Names &names,
                   ChangedUse changedUse, const Rules &rules = {});

} // namespace retest
