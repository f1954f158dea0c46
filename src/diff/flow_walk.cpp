#include "diff/flow_walk.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <tuple>

namespace retest {
namespace {

/// The edges of each node as one slice of FlowGraph::edges, which are sorted by origin.
class OutEdges {
public:
  explicit OutEdges(const FlowGraph &graph) : begins_(graph.nodes.size() + 1) {
    for (const FlowEdge &edge : graph.edges)
      ++begins_[edge.from.value + 1];
    for (std::size_t node = 1; node < begins_.size(); ++node)
      begins_[node] += begins_[node - 1];
  }

  std::uint32_t begin(NodeId node) const { return begins_[node.value]; }
  std::uint32_t end(NodeId node) const { return begins_[node.value + 1]; }

private:
  std::vector<std::uint32_t> begins_;
};

/// Nodes that control reaches in a way that no edge shows; the entry is none of them.
std::vector<NodeId> looseNodes(const FlowGraph &graph) {
  std::vector<bool> isReached(graph.nodes.size());
  for (const FlowEdge &edge : graph.edges)
    isReached[edge.to.value] = true;
  std::vector<NodeId> loose;
  for (std::uint32_t node = 2; node < graph.nodes.size(); ++node) // 0 entry, 1 exit
    if (!isReached[node])
      loose.push_back({node});
  return loose;
}

/// A one-to-one relation between the locals of two functions that grows as nodes are matched.
class Renaming {
public:
  bool accepts(llvm::ArrayRef<std::uint32_t> baseline, llvm::ArrayRef<std::uint32_t> current) {
    if (baseline.size() != current.size())
      return false;
    for (auto [old, now] : llvm::zip_equal(baseline, current)) {
      auto forward = forward_.find(old);
      auto backward = backward_.find(now);
      bool isFree = forward == forward_.end() && backward == backward_.end();
      bool isSame = forward != forward_.end() && forward->second == now;
      if (!isFree && !isSame)
        return false;
      if (isFree) { // kept on failure, too: that can only find more differences
        forward_[old] = now;
        backward_[now] = old;
      }
    }
    return true;
  }

private:
  llvm::DenseMap<std::uint32_t, std::uint32_t> forward_, backward_;
};

class Walk {
public:
  Walk(const FlowGraph &baseline, const FlowGraph &current, const Names &names,
       ChangedUse changedUse, const Rules &rules)
      : baseline_(baseline), current_(current), default_(names.find("default")),
        changedUse_(changedUse), rules_(rules), baselineEdges_(baseline), currentEdges_(current),
        isDangerous_(baseline.edges.size()),
        // Like graphs need about one pair for each node. Far beyond that, give up.
        limit_(64 * (baseline.nodes.size() + current.nodes.size()) + 4096) {}

  FlowDelta run() {
    enter({0}, {0});
    if (rules_(Rule::LooseNodes))
      enterLooseNodes();
    while (!pending_.empty() && !delta_.entry) {
      auto [baseline, current] = pending_.pop_back_val();
      if (delta_.nodes.size() > limit_)
        delta_.entry = FlowDifference{0, FlowChange::TooLarge, baseline, current, {}};
      else
        follow(baseline, current);
    }
    return finish();
  }

private:
  /// Whether two nodes say the same thing; else `why`, without its edge.
  bool isEquivalent(NodeId baseline, NodeId current, FlowDifference &why) {
    const Node &old = baseline_.nodes[baseline.value];
    const Node &now = current_.nodes[current.value];
    why = {0, FlowChange::Node, baseline, current, {}};
    if (rules_(Rule::Nodes)) {
      bool saysTheSame =
          old.kind == now.kind && old.call == now.call &&
          llvm::equal(old.elements, now.elements, [](const Element &a, const Element &b) {
            return a.fingerprint == b.fingerprint;
          });
      if (!saysTheSame)
        return false;
    }
    for (const Node *node : {&old, &now})
      if (std::optional<Use> use = changedUse_(*node)) {
        why.change = FlowChange::Use;
        why.use = *use;
        return false;
      }
    if (rules_(Rule::Locals) && !renaming_.accepts(old.locals, now.locals)) {
      why.change = FlowChange::Local;
      return false;
    }
    return true;
  }

  void visit(NodeId baseline, NodeId current) {
    std::uint64_t key = (std::uint64_t{baseline.value} << 32) | current.value;
    if (!seen_.insert(key).second)
      return;
    delta_.nodes.push_back({baseline, current});
    pending_.push_back({baseline, current});
  }

  /// A pair that no edge leads to: if it differs, every way through the function is dangerous.
  void enter(NodeId baseline, NodeId current) {
    FlowDifference why;
    if (isEquivalent(baseline, current, why))
      visit(baseline, current);
    else if (!delta_.entry)
      delta_.entry = why;
  }

  void enterLooseNodes() {
    std::vector<NodeId> old = looseNodes(baseline_), now = looseNodes(current_);
    for (std::size_t i = 0; i < std::min(old.size(), now.size()); ++i)
      enter(old[i], now[i]);
    if (old.size() != now.size() && !delta_.entry)
      delta_.entry = FlowDifference{0,
                                    FlowChange::Node,
                                    old.empty() ? NodeId{} : old.back(),
                                    now.empty() ? NodeId{} : now.back(),
                                    {}};
  }

  void markDangerous(std::uint32_t edge, FlowDifference why) {
    if (isDangerous_[edge])
      return;
    isDangerous_[edge] = true;
    why.edge = edge;
    delta_.dangerous.push_back(why);
  }

  struct Way {
    std::uint64_t label = 0; ///< kind and label
    std::uint32_t edge = 0;
    bool isMatched = false;
  };

  static llvm::SmallVector<Way, 4> waysOf(const FlowGraph &graph, const OutEdges &edges,
                                          NodeId node) {
    llvm::SmallVector<Way, 4> ways;
    for (std::uint32_t index = edges.begin(node); index < edges.end(node); ++index) {
      const FlowEdge &edge = graph.edges[index];
      ways.push_back(
          {(std::uint64_t{static_cast<std::uint8_t>(edge.kind)} << 32) | edge.label.value, index});
    }
    llvm::sort(ways, [](const Way &a, const Way &b) {
      return std::tie(a.label, a.edge) < std::tie(b.label, b.edge);
    });
    return ways;
  }

  /// Follows the edges that leave an equivalent pair. Edges of one label keep their order, so the
  /// first is matched with the first.
  void follow(NodeId baseline, NodeId current) {
    llvm::SmallVector<Way, 4> old = waysOf(baseline_, baselineEdges_, baseline);
    llvm::SmallVector<Way, 4> now = waysOf(current_, currentEdges_, current);
    auto next = now.begin();
    for (Way &way : old) {
      while (next != now.end() && next->label < way.label)
        ++next;
      if (next == now.end() || next->label != way.label)
        continue;
      way.isMatched = next->isMatched = true;
      followEdge(way.edge, next->edge);
      ++next;
    }
    for (const Way &way : old)
      if (!way.isMatched && rules_(Rule::RemovedEdges))
        markDangerous(way.edge, {0, FlowChange::Removed, baseline, current, {}});
    for (const Way &way : now)
      if (!way.isMatched && rules_(Rule::AddedEdges))
        takeFrom(baseline, current_.edges[way.edge]);
  }

  void followEdge(std::uint32_t baselineEdge, std::uint32_t currentEdge) {
    NodeId old = baseline_.edges[baselineEdge].to;
    NodeId now = current_.edges[currentEdge].to;
    FlowDifference why;
    if (!isEquivalent(old, now, why)) {
      markDangerous(baselineEdge, why);
      return;
    }
    delta_.edges.push_back({baselineEdge, currentEdge});
    visit(old, now);
  }

  /// An edge that only the current node has: which baseline edges could it take executions from?
  void takeFrom(NodeId baseline, const FlowEdge &added) {
    NodeKind kind = baseline_.nodes[baseline.value].kind;
    if (added.kind == EdgeKind::Exception && (kind == NodeKind::Call || kind == NodeKind::Cleanup))
      return;
    std::uint32_t begin = baselineEdges_.begin(baseline), end = baselineEdges_.end(baseline);
    auto isDefault = [&](std::uint32_t edge) {
      return default_.isValid() && baseline_.edges[edge].label == default_;
    };
    bool hasDefault = false;
    for (std::uint32_t edge = begin; edge < end; ++edge)
      hasDefault |= isDefault(edge);
    for (std::uint32_t edge = begin; edge < end; ++edge)
      if (!hasDefault || isDefault(edge))
        markDangerous(edge, {0, FlowChange::Added, baseline, added.to, {}});
  }

  FlowDelta finish() {
    if (delta_.entry) { // nothing behind the entry can be relied on
      delta_.nodes.clear();
      delta_.edges.clear();
    }
    llvm::sort(delta_.dangerous);
    llvm::sort(delta_.nodes);
    // An edge may match on one path and be dangerous on another: then it is dangerous.
    llvm::erase_if(delta_.edges, [&](EdgePair pair) { return isDangerous_[pair.baseline]; });
    llvm::sort(delta_.edges);
    delta_.edges.erase(std::unique(delta_.edges.begin(), delta_.edges.end()), delta_.edges.end());
    return std::move(delta_);
  }

  const FlowGraph &baseline_, &current_;
  NameId default_;
  ChangedUse changedUse_;
  const Rules &rules_;
  OutEdges baselineEdges_, currentEdges_;
  Renaming renaming_;
  std::vector<bool> isDangerous_; ///< by baseline edge
  std::size_t limit_;
  llvm::DenseSet<std::uint64_t> seen_;
  llvm::SmallVector<std::pair<NodeId, NodeId>> pending_;
  FlowDelta delta_;
};

} // namespace

FlowDelta walkFlow(const FlowGraph &baseline, const FlowGraph &current, const Names &names,
                   ChangedUse changedUse, const Rules &rules) {
  return Walk(baseline, current, names, changedUse, rules).run();
}

} // namespace retest
