#pragma once

#include "graph/flow_graph.h"

#include <random>

namespace retest {

/// Flow graphs and edits of them, the same for each seed.
///
/// Few texts, labels and locals, so that two graphs have many nodes that say the same. Shapes that
/// the extraction never makes are among them: a walk must survive those too.
class RandomFlow {
public:
  RandomFlow(std::uint64_t seed, Names &names, bool hasLocals);

  FlowGraph graph();

  /// One edit that may change what the function does.
  void edit(FlowGraph &graph);

  /// One edit that changes nothing for who runs the function: nodes in another order, a tail
  /// duplicated, locals renamed, cases reordered.
  void rewrite(FlowGraph &graph);

  std::uint32_t below(std::uint32_t limit) { return random_() % limit; }
  bool isOneIn(std::uint32_t n) { return below(n) == 0; }

private:
  Node node();
  void addShape(FlowGraph &graph, std::uint32_t from, std::uint32_t nodes);
  void insertNode(FlowGraph &graph);
  void duplicateTail(FlowGraph &graph);
  void renumber(FlowGraph &graph);
  void renameLocals(FlowGraph &graph);
  void reorderCases(FlowGraph &graph);
  void relabel(FlowEdge &edge);
  NameId text(const char *text) { return names_.intern(text); }

  std::mt19937_64 random_;
  Names &names_;
  bool hasLocals_;
  std::uint32_t texts_ = 3; ///< how many a graph has
};

/// Sorts the edges by origin, as a flow graph has them; those of one node keep their order.
void sortEdges(FlowGraph &graph);

/// The nodes behind the exit that no edge leads to.
std::vector<NodeId> looseNodesOf(const FlowGraph &graph);

} // namespace retest
