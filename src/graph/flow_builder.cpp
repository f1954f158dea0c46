#include "graph/flow_builder.h"

#include <algorithm>

namespace retest {

FlowBuilder::FlowBuilder() {
  addNode(NodeKind::Entry);
  addNode(NodeKind::Exit);
}

NodeId FlowBuilder::addNode(NodeKind kind) {
  nodes_.emplace_back().kind = kind;
  edges_.emplace_back();
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void FlowBuilder::addEdge(NodeId from, NodeId to, EdgeKind kind, NameId label) {
  edges_[from.value].push_back({from, to, kind, label});
}

/// A block that does nothing and leads to one place only.
bool FlowBuilder::isEmpty(NodeId id) const {
  const Node &node = nodes_[id.value];
  return node.kind == NodeKind::Block && node.elements.empty() && edges_[id.value].size() == 1 &&
         edges_[id.value].front().to != id;
}

NodeId FlowBuilder::skipEmpty(NodeId id) const {
  // An empty loop (`for (;;) {}`) could go round for ever: stop after as many steps as nodes.
  for (std::size_t steps = 0; isEmpty(id) && steps < nodes_.size(); ++steps)
    id = edges_[id.value].front().to;
  return id;
}

FlowGraph FlowBuilder::finish() {
  for (std::vector<FlowEdge> &edges : edges_)
    for (FlowEdge &edge : edges)
      edge.to = skipEmpty(edge.to);

  // Depth first, with an own stack: generated functions have thousands of blocks in a row.
  std::vector<NodeId> number(nodes_.size());
  std::vector<NodeId> order = {kEntry, kExit};
  number[kEntry.value] = kEntry;
  number[kExit.value] = kExit;
  auto visitFrom = [&](NodeId root) {
    std::vector<std::pair<NodeId, std::size_t>> stack = {{root, 0}};
    while (!stack.empty()) {
      auto &[id, next] = stack.back();
      if (next == edges_[id.value].size()) {
        stack.pop_back();
        continue;
      }
      NodeId to = edges_[id.value][next++].to;
      if (number[to.value].isValid())
        continue;
      number[to.value] = {static_cast<std::uint32_t>(order.size())};
      order.push_back(to);
      stack.push_back({to, 0});
    }
  };
  visitFrom(kEntry);
  std::vector<bool> isTarget(nodes_.size(), false);
  for (const std::vector<FlowEdge> &edges : edges_)
    for (const FlowEdge &edge : edges)
      isTarget[edge.to.value] = true;
  // What nothing leads to, then what is left: loops that nothing leads to.
  for (bool wantsRoots : {true, false})
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      bool isLeftOut = nodes_[i].kind == NodeKind::Block && nodes_[i].elements.empty();
      if (number[i].isValid() || isLeftOut || (wantsRoots && isTarget[i]))
        continue;
      number[i] = {static_cast<std::uint32_t>(order.size())};
      order.push_back({i});
      visitFrom({i});
    }

  FlowGraph graph;
  for (NodeId id : order) {
    Node &node = nodes_[id.value];
    std::sort(node.uses.begin(), node.uses.end());
    node.uses.erase(std::unique(node.uses.begin(), node.uses.end()), node.uses.end());
    for (FlowEdge edge : edges_[id.value])
      graph.edges.push_back({number[id.value], number[edge.to.value], edge.kind, edge.label});
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

FlowGraph flowOfOneNode(Node node, NameId nothing) {
  FlowBuilder flow;
  NodeId only = flow.addNode(node.kind);
  flow.addEdge(FlowBuilder::kEntry, only, EdgeKind::Flow, nothing);
  flow.addEdge(only, FlowBuilder::kExit,
               node.kind == NodeKind::Call ? EdgeKind::Path : EdgeKind::Flow, nothing);
  flow.node(only) = std::move(node);
  return flow.finish();
}

} // namespace retest
