#include "tests/diff/random_flow.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace retest {
namespace {

constexpr std::uint32_t kFirst = 2; // 0 is the entry, 1 the exit
constexpr std::uint32_t kLocals = 4;
const char *const kCases[] = {"case 1", "case 2", "case 3", "case 4"};

} // namespace

void sortEdges(FlowGraph &graph) {
  std::vector<std::vector<FlowEdge>> byOrigin(graph.nodes.size());
  for (const FlowEdge &edge : graph.edges)
    byOrigin[edge.from.value].push_back(edge);
  graph.edges.clear();
  for (const std::vector<FlowEdge> &edges : byOrigin)
    graph.edges.insert(graph.edges.end(), edges.begin(), edges.end());
}

std::vector<NodeId> looseNodesOf(const FlowGraph &graph) {
  std::vector<NodeId> loose;
  for (std::uint32_t node = kFirst; node < graph.nodes.size(); ++node)
    if (std::none_of(graph.edges.begin(), graph.edges.end(),
                     [&](const FlowEdge &edge) { return edge.to.value == node; }))
      loose.push_back({node});
  return loose;
}

RandomFlow::RandomFlow(std::uint64_t seed, Names &names, bool hasLocals)
    : random_(seed), names_(names), hasLocals_(hasLocals), texts_(1 + below(5)) {}

Node RandomFlow::node() {
  Node node;
  static const NodeKind kKinds[] = {NodeKind::Block, NodeKind::Block, NodeKind::Block,
                                    NodeKind::Call, NodeKind::Cleanup};
  node.kind = kKinds[below(std::size(kKinds))];
  for (std::uint32_t i = 1 + below(2); i > 0; --i)
    node.elements.push_back({below(texts_), {}});
  if (node.kind != NodeKind::Block)
    node.call.callee = text(isOneIn(2) ? "f()" : "g()");
  if (hasLocals_)
    for (std::uint32_t i = below(3); i > 0; --i)
      if (std::uint32_t local = below(kLocals);
          std::find(node.locals.begin(), node.locals.end(), local) == node.locals.end())
        node.locals.push_back(local);
  if (isOneIn(12))
    node.uses.push_back({UseKind::Variable, text(isOneIn(3) ? "changed" : "kept")});
  return node;
}

/// The edges that leave a node: one way, a branch, a switch, a call, none, or anything.
void RandomFlow::addShape(FlowGraph &graph, std::uint32_t from, std::uint32_t nodes) {
  auto add = [&](EdgeKind kind, const char *label) {
    // Mostly onwards, so that some paths are long; 1 is the exit.
    std::uint32_t ahead = from + 1 + below(4);
    std::uint32_t to = isOneIn(4) || ahead >= nodes ? 1 + below(nodes - 1) : std::max(1u, ahead);
    graph.edges.push_back({{from}, {to}, kind, text(label)});
  };
  NodeKind kind = graph.nodes[from].kind;
  if (kind == NodeKind::Call || kind == NodeKind::Cleanup) {
    if (!isOneIn(12))
      add(EdgeKind::Path, "");
    if (isOneIn(2))
      add(EdgeKind::Exception, "exception");
    return;
  }
  switch (below(8)) {
  case 0: // a switch, with or without default
    for (const char *label : kCases)
      if (isOneIn(2))
        add(EdgeKind::Flow, label);
    if (!isOneIn(4))
      add(EdgeKind::Flow, "default");
    return;
  case 1:
  case 2:
    add(EdgeKind::Flow, "T");
    add(EdgeKind::Flow, "F");
    return;
  case 3: // what no source makes
    for (std::uint32_t i = below(4); i > 0; --i)
      add(EdgeKind::Flow, isOneIn(4) ? "default" : kCases[below(2)]);
    if (isOneIn(3))
      add(EdgeKind::Exception, "exception");
    return;
  default:
    add(EdgeKind::Flow, "");
  }
}

FlowGraph RandomFlow::graph() {
  std::uint32_t nodes = 3 + below(isOneIn(500) ? 400 : isOneIn(10) ? 60 : 12);
  FlowGraph graph;
  for (std::uint32_t i = 0; i < nodes; ++i)
    graph.nodes.push_back(node());
  graph.nodes[0] = graph.nodes[1] = {};
  graph.nodes[0].kind = NodeKind::Entry;
  graph.nodes[1].kind = NodeKind::Exit;
  graph.edges.push_back({{0}, {kFirst}, EdgeKind::Flow, text("")});
  for (std::uint32_t from = kFirst; from < nodes; ++from)
    addShape(graph, from, nodes);
  // Few loose nodes: what leads nowhere else hangs on the node before it.
  for (NodeId loose : looseNodesOf(graph))
    if (!isOneIn(16))
      graph.edges.push_back({{loose.value == kFirst ? 0 : loose.value - 1},
                             loose,
                             EdgeKind::Flow,
                             text(kCases[below(4)])});
  sortEdges(graph);
  return graph;
}

/// The label of exceptions is always the same.
void RandomFlow::relabel(FlowEdge &edge) {
  static const char *const kLabels[] = {"", "T", "F", "default", "case 1", "case 5"};
  if (edge.kind != EdgeKind::Exception)
    edge.label = text(kLabels[below(std::size(kLabels))]);
}

void RandomFlow::edit(FlowGraph &graph) {
  std::uint32_t nodes = graph.nodes.size();
  if (graph.edges.empty())
    return;
  FlowEdge &edge = graph.edges[below(graph.edges.size())];
  Node *node = nodes > kFirst ? &graph.nodes[kFirst + below(nodes - kFirst)] : nullptr;
  switch (below(10)) {
  case 0:
    if (node)
      *node = this->node();
    break;
  case 1:
    if (node)
      node->elements[0].fingerprint += 100;
    break;
  case 2:
    edge.to = {1 + below(nodes - 1)};
    break;
  case 3:
    relabel(edge);
    break;
  case 4:
    graph.edges.erase(graph.edges.begin() + below(graph.edges.size()));
    break;
  case 5:
    graph.edges.push_back({edge.from, {1 + below(nodes - 1)}, EdgeKind::Flow, edge.label});
    relabel(graph.edges.back());
    break;
  case 6:
    insertNode(graph);
    break;
  case 7: // a node that no edge leads to
    graph.nodes.push_back(this->node());
    graph.edges.push_back({{nodes}, {1 + below(nodes)}, EdgeKind::Flow, text("")});
    break;
  case 8:
    if (node && !node->locals.empty())
      node->locals[0] = kLocals + below(2);
    break;
  case 9:
    if (node)
      node->call.callee = text("h()");
    break;
  }
  sortEdges(graph);
}

void RandomFlow::insertNode(FlowGraph &graph) {
  NodeId inserted{static_cast<std::uint32_t>(graph.nodes.size())};
  graph.nodes.push_back(node());
  FlowEdge &edge = graph.edges[below(graph.edges.size())];
  NodeId behind = std::exchange(edge.to, inserted);
  graph.edges.push_back({inserted, behind, EdgeKind::Flow, text("")});
}

void RandomFlow::rewrite(FlowGraph &graph) {
  switch (below(4)) {
  case 0:
    renumber(graph);
    break;
  case 1:
    duplicateTail(graph);
    break;
  case 2:
    renameLocals(graph);
    break;
  case 3:
    reorderCases(graph);
    break;
  }
  sortEdges(graph);
}

/// One of the edges into a node leads to a copy of it instead. Its last edge would make the old one
/// loose, so it needs two.
void RandomFlow::duplicateTail(FlowGraph &graph) {
  std::uint32_t which = below(graph.edges.size());
  NodeId tail = graph.edges[which].to;
  if (tail.value < kFirst || std::count_if(
                                 graph.edges.begin(), graph.edges.end(),
                                 [&](const FlowEdge &e) { return e.to == tail; }) < 2)
    return;
  NodeId copy{static_cast<std::uint32_t>(graph.nodes.size())};
  graph.nodes.push_back(graph.nodes[tail.value]);
  graph.edges[which].to = copy;
  std::vector<FlowEdge> copied;
  for (const FlowEdge &edge : graph.edges)
    if (edge.from == tail)
      copied.push_back({copy, edge.to, edge.kind, edge.label});
  graph.edges.insert(graph.edges.end(), copied.begin(), copied.end());
}

/// Another order of the nodes. Those that no edge leads to are told by their order and keep it.
void RandomFlow::renumber(FlowGraph &graph) {
  std::vector<NodeId> loose = looseNodesOf(graph);
  std::vector<std::uint32_t> place(graph.nodes.size());
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin() + kFirst, place.end(), random_);
  std::vector<std::uint32_t> places;
  for (NodeId node : loose)
    places.push_back(place[node.value]);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < loose.size(); ++i)
    place[loose[i].value] = places[i];
  std::vector<Node> nodes(graph.nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    nodes[place[i]] = std::move(graph.nodes[i]);
  graph.nodes = std::move(nodes);
  for (FlowEdge &edge : graph.edges)
    edge = {{place[edge.from.value]}, {place[edge.to.value]}, edge.kind, edge.label};
}

void RandomFlow::renameLocals(FlowGraph &graph) {
  std::vector<std::uint32_t> name(kLocals + 2);
  std::iota(name.begin(), name.end(), below(3));
  std::shuffle(name.begin(), name.end(), random_);
  for (Node &node : graph.nodes)
    for (std::uint32_t &local : node.locals)
      local = local < name.size() ? name[local] : local + 100;
}

/// The edges of one node in another order; those of one label keep theirs.
void RandomFlow::reorderCases(FlowGraph &graph) {
  NodeId from{below(graph.nodes.size())};
  std::map<std::uint32_t, std::vector<FlowEdge>> byLabel;
  for (const FlowEdge &edge : graph.edges)
    if (edge.from == from)
      byLabel[edge.label.value ^ 5].push_back(edge);
  std::erase_if(graph.edges, [&](const FlowEdge &edge) { return edge.from == from; });
  for (const auto &[label, edges] : byLabel)
    graph.edges.insert(graph.edges.end(), edges.begin(), edges.end());
}

} // namespace retest
