#include "select/carried_edges.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {

namespace {

/// Nodes without a way to them, which control enters all the same; the walk pairs them in order.
std::vector<NodeId> looseNodes(const FlowGraph &graph) {
  llvm::BitVector isTarget(graph.nodes.size());
  for (const FlowEdge &edge : graph.edges)
    isTarget.set(edge.to.value);
  std::vector<NodeId> loose;
  for (std::uint32_t node = 2; node < graph.nodes.size(); ++node) // 0 entry, 1 exit
    if (!isTarget.test(node))
      loose.push_back({node});
  return loose;
}

class CarriedWalk {
public:
  CarriedWalk(const FlowGraph &baseline, const FlowGraph &current, llvm::ArrayRef<EdgePair> pairs,
              const llvm::BitVector &crossed)
      : baseline_(baseline), current_(current), crossed_(crossed),
        isMatched_(baseline.edges.size()), isKnown_(current.edges.size()),
        carried_(current.edges.size()) {
    for (EdgePair pair : pairs) {
      isKnown_.set(pair.current);
      if (crossed.test(pair.baseline))
        ways_[placeOf(pair)].push_back(pair);
    }
  }

  std::optional<llvm::BitVector> run() {
    visit({0}, {0});
    std::vector<NodeId> old = looseNodes(baseline_), now = looseNodes(current_);
    for (std::size_t i = 0; i < std::min(old.size(), now.size()); ++i)
      visit(old[i], now[i]);
    while (!pending_.empty())
      follow(pending_.pop_back_val());
    llvm::BitVector lost = crossed_;
    lost.reset(isMatched_);
    if (lost.any())
      return std::nullopt;
    addNewWays();
    return std::move(carried_);
  }

private:
  using Place = std::uint64_t; ///< a pair of nodes

  static Place placeOf(NodeId baseline, NodeId current) {
    return (Place{baseline.value} << 32) | current.value;
  }
  Place placeOf(EdgePair pair) const {
    return placeOf(baseline_.edges[pair.baseline].from, current_.edges[pair.current].from);
  }

  void visit(NodeId baseline, NodeId current) {
    if (seen_.insert(placeOf(baseline, current)).second)
      pending_.push_back(placeOf(baseline, current));
  }

  void follow(Place place) {
    auto found = ways_.find(place);
    if (found == ways_.end())
      return;
    for (EdgePair pair : found->second) {
      isMatched_.set(pair.baseline);
      carried_.set(pair.current);
      visit(baseline_.edges[pair.baseline].to, current_.edges[pair.current].to);
    }
  }

  /// A call may gain a way out by an exception, and one that did not come back a way on: the walk
  /// takes these from no other.
  void addNewWays() {
    llvm::BitVector goesOn(baseline_.nodes.size());
    for (const FlowEdge &edge : baseline_.edges)
      goesOn.set(edge.from.value);
    // By current node: how it was reached, and that it is behind a new way.
    llvm::BitVector isReached(current_.nodes.size()), wasEnd(current_.nodes.size()),
        isBehind(current_.nodes.size());
    for (Place place : seen_) {
      isReached.set(static_cast<std::uint32_t>(place));
      if (!goesOn.test(place >> 32))
        wasEnd.set(static_cast<std::uint32_t>(place));
    }
    auto isNew = [&](const FlowEdge &edge) {
      NodeKind kind = current_.nodes[edge.from.value].kind;
      return wasEnd.test(edge.from.value) ||
             (edge.kind == EdgeKind::Exception && isReached.test(edge.from.value) &&
              (kind == NodeKind::Call || kind == NodeKind::Cleanup));
    };
    llvm::SmallVector<NodeId, 8> pending;
    auto add = [&](std::uint32_t edge) {
      carried_.set(edge);
      NodeId to = current_.edges[edge].to;
      if (!isBehind.test(to.value))
        pending.push_back(to);
      isBehind.set(to.value);
    };
    for (std::uint32_t i = 0; i < current_.edges.size(); ++i)
      if (!isKnown_.test(i) && isNew(current_.edges[i]))
        add(i);
    while (!pending.empty()) {
      NodeId node = pending.pop_back_val();
      for (std::uint32_t i = 0; i < current_.edges.size(); ++i)
        if (current_.edges[i].from == node)
          add(i);
    }
  }

  const FlowGraph &baseline_, &current_;
  const llvm::BitVector &crossed_;
  llvm::DenseMap<Place, llvm::SmallVector<EdgePair, 2>> ways_; ///< that were crossed
  llvm::BitVector isMatched_;                                  ///< by baseline edge
  llvm::BitVector isKnown_; ///< by current edge: some edge of the baseline leads there
  llvm::BitVector carried_;
  llvm::DenseSet<Place> seen_;
  llvm::SmallVector<Place, 16> pending_;
};

} // namespace

std::optional<llvm::BitVector> carriedEdges(const FlowGraph &baseline, const FlowGraph &current,
                                            llvm::ArrayRef<EdgePair> pairs,
                                            const llvm::BitVector &crossed) {
  std::optional<llvm::BitVector> carried = CarriedWalk(baseline, current, pairs, crossed).run();
  if (carried && crossed.all())
    carried->set();
  return carried;
}

} // namespace retest
