#include "tests/diff/walk_oracle.h"

#include "tests/diff/random_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace retest {
namespace {

/// Which of the ways out of a node: kind, label, and the place among those of the same.
using Way = std::tuple<EdgeKind, std::uint32_t, std::uint32_t>;

using Ways = std::map<Way, std::uint32_t>;

/// By node.
std::vector<Ways> waysOf(const FlowGraph &graph) {
  std::vector<Ways> ways(graph.nodes.size());
  for (std::uint32_t index = 0; index < graph.edges.size(); ++index) {
    const FlowEdge &edge = graph.edges[index];
    Way way{edge.kind, edge.label.value, 0};
    while (!ways[edge.from.value].try_emplace(way, index).second)
      ++std::get<2>(way);
  }
  return ways;
}

bool saysTheSame(const Node &a, const Node &b, const Names &names) {
  auto words = [](const Node &node) {
    std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(node.kind),
                                        node.call.callee.value};
    for (const Element &element : node.elements)
      words.push_back(element.fingerprint);
    return words;
  };
  return words(a) == words(b) && !useOfChanged(a, names) && !useOfChanged(b, names);
}

bool isCall(const Node &node) {
  return node.kind == NodeKind::Call || node.kind == NodeKind::Cleanup;
}

std::set<std::uint32_t> dangerousIn(const FlowDelta &delta) {
  std::set<std::uint32_t> edges;
  for (const FlowDifference &difference : delta.dangerous)
    edges.insert(difference.edge);
  return edges;
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

} // namespace

std::optional<Use> useOfChanged(const Node &node, const Names &names) {
  for (const Use &use : node.uses)
    if (names.text(use.entity) == "changed")
      return use;
  return std::nullopt;
}

std::string checkForm(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta) {
  std::set<std::uint32_t> dangerous = dangerousIn(delta);
  if (dangerous.size() != delta.dangerous.size())
    return "an edge is dangerous twice";
  if (!std::is_sorted(delta.dangerous.begin(), delta.dangerous.end()) ||
      !std::is_sorted(delta.nodes.begin(), delta.nodes.end()) ||
      !std::is_sorted(delta.edges.begin(), delta.edges.end()))
    return "not sorted";
  if (delta.entry)
    return delta.nodes.empty() && delta.edges.empty() ? "" : "something matches behind the entry";

  std::set<NodePair> nodes(delta.nodes.begin(), delta.nodes.end());
  if (nodes.size() != delta.nodes.size() || !nodes.contains({{0}, {0}}))
    return "node pairs are not a set with the entries in it";
  std::set<std::uint32_t> matched;
  for (EdgePair pair : delta.edges) {
    const FlowEdge &old = baseline.edges[pair.baseline], &now = current.edges[pair.current];
    matched.insert(pair.baseline);
    if (old.kind != now.kind || old.label != now.label)
      return fmt::format("edges {} and {} are not alike", pair.baseline, pair.current);
    if (!nodes.contains({old.from, now.from}) || !nodes.contains({old.to, now.to}))
      return fmt::format("edges {} and {} join no pairs", pair.baseline, pair.current);
  }
  std::vector<Ways> ways = waysOf(baseline);
  for (NodePair pair : delta.nodes)
    for (auto [way, edge] : ways[pair.baseline.value])
      if (matched.contains(edge) == dangerous.contains(edge))
        return fmt::format("edge {} leaves a matched node and is {}", edge,
                           matched.contains(edge) ? "matched and dangerous" : "neither");
  return "";
}

std::string checkExact(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta,
                       const Names &names) {
  auto isSame = [&](NodeId old, NodeId now) {
    return saysTheSame(baseline.nodes[old.value], current.nodes[now.value], names);
  };
  std::vector<NodeId> before = looseNodesOf(baseline), after = looseNodesOf(current);
  before.insert(before.begin(), NodeId{0});
  after.insert(after.begin(), NodeId{0});
  bool isEntry = before.size() != after.size();
  std::vector<NodePair> pairs;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    isEntry |= !isSame(before[i], after[i]);
    pairs.push_back({before[i], after[i]});
  }
  if (isEntry)
    return delta.entry ? "" : "the entry must be dangerous";

  std::vector<Ways> allWays = waysOf(baseline), allWaysNow = waysOf(current);
  std::set<NodePair> known(pairs.begin(), pairs.end());
  std::set<std::uint32_t> dangerous;
  for (std::size_t next = 0; next < pairs.size(); ++next) {
    auto [old, now] = pairs[next];
    const Ways &ways = allWays[old.value], &waysNow = allWaysNow[now.value];
    for (auto [way, edge] : ways) {
      auto found = waysNow.find(way);
      NodeId to = baseline.edges[edge].to;
      if (found == waysNow.end() || !isSame(to, current.edges[found->second].to))
        dangerous.insert(edge);
      else if (NodePair pair{to, current.edges[found->second].to}; known.insert(pair).second)
        pairs.push_back(pair);
    }
    auto isDefault = [&](std::uint32_t edge) {
      return names.text(baseline.edges[edge].label) == "default";
    };
    bool hasDefault =
        std::any_of(ways.begin(), ways.end(), [&](auto &way) { return isDefault(way.second); });
    for (auto [way, edge] : waysNow) {
      bool isCalleesBusiness =
          std::get<EdgeKind>(way) == EdgeKind::Exception && isCall(baseline.nodes[old.value]);
      if (ways.contains(way) || isCalleesBusiness)
        continue;
      for (auto [other, taken] : ways)
        if (!hasDefault || isDefault(taken))
          dangerous.insert(taken);
    }
  }
  if (delta.entry)
    return delta.entry->change == FlowChange::TooLarge && pairs.size() > 4096
               ? ""
               : fmt::format("the entry is dangerous for no reason; {} pairs", pairs.size());
  if (dangerousIn(delta) != dangerous)
    return fmt::format("dangerous: {}, must be {}", fmt::join(dangerousIn(delta), " "),
                       fmt::join(dangerous, " "));
  if (delta.nodes.size() != pairs.size())
    return fmt::format("{} pairs, must be {}", delta.nodes.size(), pairs.size());
  return "";
}

namespace {

/// One version of the function while it runs.
class Run {
public:
  Run(const FlowGraph &graph, const Names &names, bool isCurrent, NodeId start)
      : graph_(graph), ways_(waysOf(graph)), names_(names), isCurrent_(isCurrent), at_(start) {}

  NodeId at() const { return at_; }

  /// Executes the node; what it writes.
  std::uint64_t write() {
    const Node &node = graph_.nodes[at_.value];
    std::uint64_t value = mixed(static_cast<std::uint64_t>(node.kind), node.call.callee.value);
    for (const Element &element : node.elements)
      value = mixed(value, element.fingerprint);
    for (std::uint32_t local : node.locals)
      value = mixed(value, values_[local]);
    if (isCurrent_ && useOfChanged(node, names_))
      value = mixed(value, 1);
    for (std::uint32_t local : node.locals)
      values_[local] = value = mixed(value, 2);
    return value;
  }

  /// Goes on with that edge. A function that ends here has none.
  std::optional<std::uint32_t> step(std::uint64_t decision, bool mayThrow) {
    Ways ways = ways_[at_.value];
    if (isCall(graph_.nodes[at_.value]) && !mayThrow)
      std::erase_if(ways, [](auto &way) { return std::get<0>(way.first) == EdgeKind::Exception; });
    std::optional<std::uint32_t> chosen = choose(ways, decision);
    if (chosen)
      at_ = graph_.edges[*chosen].to;
    return chosen;
  }

  bool hasException() const {
    return std::any_of(graph_.edges.begin(), graph_.edges.end(), [&](const FlowEdge &edge) {
      return edge.from == at_ && edge.kind == EdgeKind::Exception;
    });
  }

private:
  /// The decision asks for a label. If there is no such way, `default` is taken, and if there is
  /// none either, the way that likes the decision most: then one more or less way changes little.
  std::optional<std::uint32_t> choose(const Ways &ways, std::uint64_t decision) const {
    static const char *const kWanted[] = {"case 1", "case 2", "case 3", "case 4", "case 5", "T"};
    std::string wanted = kWanted[decision % std::size(kWanted)];
    for (std::string label : {wanted, std::string("default"), std::string("any")}) {
      std::optional<std::uint32_t> best;
      std::uint64_t liking = 0;
      for (auto [way, edge] : ways) {
        auto [kind, name, place] = way;
        if (label != "any" && (names_.text({name}) != label || place != 0))
          continue; // of two ways with one label, the first is meant
        std::uint64_t likes =
            mixed(mixed(decision, static_cast<std::uint64_t>(kind)), name * 8 + place);
        if (!best || likes > liking) {
          best = edge;
          liking = likes;
        }
      }
      if (best)
        return best;
    }
    return std::nullopt;
  }

  const FlowGraph &graph_;
  std::vector<Ways> ways_;
  const Names &names_;
  bool isCurrent_;
  NodeId at_;
  std::map<std::uint32_t, std::uint64_t> values_;
};

} // namespace

std::string checkRun(const FlowGraph &baseline, const FlowGraph &current, const FlowDelta &delta,
                     const Names &names, std::uint64_t input) {
  constexpr int kSteps = 60;
  if (delta.entry)
    return "";
  std::mt19937_64 random(input);
  std::vector<NodeId> before = looseNodesOf(baseline), after = looseNodesOf(current);
  before.insert(before.begin(), NodeId{0});
  after.insert(after.begin(), NodeId{0});
  std::size_t root = random() % 3 == 0 ? random() % before.size() : 0;
  if (root >= after.size())
    return "a root is gone and the entry is not dangerous";

  std::set<std::uint32_t> dangerous = dangerousIn(delta);
  Run old(baseline, names, false, before[root]), now(current, names, true, after[root]);
  for (int step = 0; step < kSteps; ++step) {
    std::uint64_t written = old.write();
    if (written != now.write())
      return fmt::format("other output at node {} without a dangerous edge", old.at().value);
    std::uint64_t decision = mixed(written, random());
    bool mayThrow = old.hasException(); // what the callee does is not in these graphs
    NodeId from = old.at();
    std::optional<std::uint32_t> edge = old.step(decision, mayThrow);
    if (edge && dangerous.contains(*edge))
      return "";
    if (!edge)
      return ""; // the baseline ends here; see the note on such nodes in fuzz_walk.cpp
    if (!now.step(decision, mayThrow))
      return fmt::format("the current run ends at node {}, not so the baseline", from.value);
  }
  return "";
}

} // namespace retest
