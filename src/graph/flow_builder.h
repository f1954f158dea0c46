#pragma once

#include "graph/flow_graph.h"

namespace retest {

/// Puts a flow graph together in any order and brings it into the form FlowGraph promises:
/// empty blocks skipped, nodes numbered depth first from the entry, edges sorted by origin.
class FlowBuilder {
public:
  static constexpr NodeId kEntry{0};
  static constexpr NodeId kExit{1};

  FlowBuilder();

  NodeId addNode(NodeKind kind);
  Node &node(NodeId id) { return nodes_[id.value]; }
  /// Edges of one node keep the order in which they were added.
  void addEdge(NodeId from, NodeId to, EdgeKind kind, NameId label);

  FlowGraph finish();

private:
  NodeId skipEmpty(NodeId id) const;
  bool isEmpty(NodeId id) const;

  std::vector<Node> nodes_;
  std::vector<std::vector<FlowEdge>> edges_; // by origin
};

/// A flow graph with a single node between entry and exit. `nothing` is the empty label.
FlowGraph flowOfOneNode(Node node, NameId nothing);

} // namespace retest
