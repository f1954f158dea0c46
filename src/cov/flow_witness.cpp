#include "cov/flow_witness.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

namespace {

bool isAnyHit(const RegionList &regions, llvm::ArrayRef<RegionHit> hits) {
  return llvm::any_of(regions, [&](std::uint32_t region) { return hits[region].isHit; });
}

bool mayHold(const BranchSide &side, llvm::ArrayRef<RegionHit> hits) {
  return side.branches.empty() || llvm::any_of(side.branches, [&](std::uint32_t region) {
           return side.isTrue ? hits[region].isHit : hits[region].isFalseHit;
         });
}

/// The walk of crossedEdges.
class Crossing {
public:
  Crossing(const FlowGraph &flow, const FlowWitness &witness, llvm::ArrayRef<RegionHit> hits)
      : flow_(flow), witness_(witness), hits_(hits), visited_(flow.nodes.size()),
        edges_(flow.edges.size()), firstEdge_(flow.nodes.size() + 1) {
    for (const FlowEdge &edge : flow.edges)
      ++firstEdge_[edge.from.value + 1];
    for (std::size_t i = 1; i < firstEdge_.size(); ++i)
      firstEdge_[i] += firstEdge_[i - 1];
  }

  CrossedEdges walk() {
    visitFrom(0);
    visitLooseNodes();
    if (!goesOnEverywhere() || !reachesAllHits())
      return {llvm::BitVector(flow_.edges.size(), true), true};
    return {std::move(edges_), false};
  }

private:
  bool mayBeAt(std::uint32_t node) const {
    return witness_.nodes[node].empty() || isAnyHit(witness_.nodes[node], hits_);
  }

  bool mayCross(std::uint32_t edge) const {
    return mayHold(witness_.edges[edge], hits_) && mayBeAt(flow_.edges[edge].to.value);
  }

  /// Calls may end the process or throw, and some nodes are ends. Whoever came to another node went
  /// on.
  bool mayEndAt(std::uint32_t node) const {
    return flow_.nodes[node].kind != NodeKind::Block || firstEdge_[node] == firstEdge_[node + 1];
  }

  bool mayGoOn(std::uint32_t node) const {
    for (std::uint32_t i = firstEdge_[node]; i < firstEdge_[node + 1]; ++i)
      if (mayCross(i))
        return true;
    return false;
  }

  void visitFrom(std::uint32_t root) {
    llvm::SmallVector<std::uint32_t, 32> pending = {root};
    visited_.set(root);
    while (!pending.empty()) {
      std::uint32_t node = pending.pop_back_val();
      for (std::uint32_t i = firstEdge_[node]; i < firstEdge_[node + 1]; ++i) {
        if (!mayCross(i))
          continue;
        std::uint32_t to = flow_.edges[i].to.value;
        edges_.set(i);
        if (visited_.test(to))
          continue;
        visited_.set(to);
        pending.push_back(to);
      }
    }
  }

  /// Nothing leads there: dead code, or a way in that the graph does not know. Nobody was at one
  /// that nobody left, such as the condition of `do { ... return x; } while (false)`.
  void visitLooseNodes() {
    llvm::BitVector isTarget(flow_.nodes.size());
    for (const FlowEdge &edge : flow_.edges)
      isTarget.set(edge.to.value);
    for (std::uint32_t node = 2; node < flow_.nodes.size(); ++node)
      if (!isTarget.test(node) && !visited_.test(node) && mayBeAt(node) &&
          (mayEndAt(node) || mayGoOn(node)))
        visitFrom(node);
  }

  bool goesOnEverywhere() const {
    return llvm::all_of(visited_.set_bits(),
                        [&](unsigned node) { return mayEndAt(node) || mayGoOn(node); });
  }

  /// A region that counted, and in which there are nodes, was entered through one of them.
  bool reachesAllHits() const {
    llvm::BitVector hasNodes(hits_.size()), isReached(hits_.size());
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      for (std::uint32_t region : witness_.nodes[node]) {
        hasNodes.set(region);
        if (visited_.test(node))
          isReached.set(region);
      }
    for (unsigned region : hasNodes.set_bits())
      if (hits_[region].isHit && !isReached.test(region))
        return false;
    return true;
  }

  const FlowGraph &flow_;
  const FlowWitness &witness_;
  llvm::ArrayRef<RegionHit> hits_;
  llvm::BitVector visited_, edges_;
  std::vector<std::uint32_t> firstEdge_; ///< by node; edges are sorted by origin
};

} // namespace

FlowWitness witnessOf(const FlowGraph &flow, const RegionFinder &finder, const Names &names) {
  FlowWitness witness;
  for (const Node &node : flow.nodes)
    witness.nodes.push_back(finder.around(node));
  for (const FlowEdge &edge : flow.edges) {
    BranchSide side;
    llvm::StringRef label = names.text(edge.label);
    const Node &from = flow.nodes[edge.from.value];
    if (edge.kind == EdgeKind::Flow && (label == "T" || label == "F") && !from.elements.empty()) {
      side.isTrue = label == "T";
      side.branches = finder.branchesOf(from.elements.back().where);
    }
    witness.edges.push_back(std::move(side));
  }
  return witness;
}

void WitnessCounts::add(const FlowGraph &graph, const FlowWitness &witness) {
  std::vector<unsigned> waysOut(graph.nodes.size()), waysIn(graph.nodes.size());
  for (const FlowEdge &edge : graph.edges) {
    ++waysOut[edge.from.value];
    ++waysIn[edge.to.value];
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const FlowEdge &edge = graph.edges[i];
    bool isOnlyWayOut = waysOut[edge.from.value] == 1 &&
                        (edge.from.value == 0 || !witness.nodes[edge.from.value].empty());
    bool isOnlyWayIn = waysIn[edge.to.value] == 1 && !witness.nodes[edge.to.value].empty();
    EdgeCounts &counts = edge.kind == EdgeKind::Flow ? flow : calls;
    ++counts.edges;
    counts.exact += !witness.edges[i].branches.empty() || isOnlyWayOut || isOnlyWayIn;
  }
}

CrossedEdges crossedEdges(const FlowGraph &flow, const FlowWitness &witness,
                          llvm::ArrayRef<RegionHit> hits) {
  return Crossing(flow, witness, hits).walk();
}

} // namespace retest
