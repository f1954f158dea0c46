#include "select/carried_edges.h"

#include "tests/diff/random_flow.h"
#include "tests/notation/flow.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

FlowDelta walk(const FlowGraph &baseline, const FlowGraph &current, const Names &names) {
  return walkFlow(baseline, current, names, [](const Node &) { return std::nullopt; });
}

/// The edges as numbers, "0 2 3"; "lost".
std::string carried(const FlowGraph &baseline, const FlowGraph &current, const Names &names,
                    std::initializer_list<unsigned> crossed) {
  llvm::BitVector edges(baseline.edges.size());
  for (unsigned edge : crossed)
    edges.set(edge);
  auto found = carriedEdges(baseline, current, walk(baseline, current, names).edges, edges);
  std::string text;
  if (found)
    for (unsigned edge : found->set_bits())
      text += (text.empty() ? "" : " ") + std::to_string(edge);
  return found ? text : "lost";
}

/// The edge that leaves `node` in the same way: kind, label, and the place among those of the same.
std::optional<std::uint32_t> likeEdge(const FlowGraph &from, std::uint32_t edge,
                                      const FlowGraph &to, NodeId node) {
  auto sameWay = [&](const FlowEdge &a, const FlowEdge &b) {
    return a.kind == b.kind && a.label == b.label;
  };
  const FlowEdge &wanted = from.edges[edge];
  int place = 0;
  for (std::uint32_t i = 0; i < edge; ++i)
    place += from.edges[i].from == wanted.from && sameWay(from.edges[i], wanted);
  for (std::uint32_t i = 0; i < to.edges.size(); ++i)
    if (to.edges[i].from == node && sameWay(to.edges[i], wanted) && place-- == 0)
      return i;
  return std::nullopt;
}

} // namespace

TEST_CASE("carried edges: of a tail that is there twice, the copy to which the way leads") {
  Names names;
  // 0 in -> x, 1 x -T-> a, 2 x -F-> b, 3 a -> t, 4 b -> t, 5 t -> out
  const char *text = "in -> x ; x -T-> a ; x -F-> b ; a -> t ; b -> t ; t -> out";
  FlowGraph baseline = flow(text, names), current = flow(text, names);
  current.nodes.push_back(current.nodes[5]); // t once more, behind b
  current.edges[4].to = {6};
  current.edges.push_back({{6}, {1}, EdgeKind::Flow, names.intern("")});
  CHECK(carried(baseline, current, names, {0, 1, 3, 5}) == "0 1 3 5");
  CHECK(carried(baseline, current, names, {0, 2, 4, 5}) == "0 2 4 6");
  CHECK(carried(baseline, current, names, {0, 1, 2, 3, 4, 5}) == "0 1 2 3 4 5 6");
}

TEST_CASE("carried edges: what was crossed and has no counterpart is lost") {
  Names names;
  FlowGraph baseline = flow("in -> x ; x -T-> t ; x -F-> out ; t -> out", names);
  FlowGraph changed = flow("in -> x ; x -T-> u ; x -F-> out ; u -> out", names);
  CHECK(carried(baseline, changed, names, {0, 2}) == "0 2");
  CHECK(carried(baseline, changed, names, {0, 1, 3}) == "lost");
  CHECK(carried(baseline, changed, names, {0, 1, 2, 3}) == "lost");
  CHECK(carried(baseline, changed, names, {}) == "");
  FlowGraph another = flow("in -> y ; y -> out", names); // the walk ends at once
  CHECK(carried(baseline, another, names, {0}) == "lost");
}

TEST_CASE("carried edges: ways on that a call did not have") {
  Names names;
  FlowGraph ends = flow("in -> x ; x -T-> call f() ; x -F-> out", names);
  FlowGraph goesOn =
      flow("in -> x ; x -T-> call f() ; x -F-> out ; call f() => y ; y -> out", names);
  CHECK(carried(ends, goesOn, names, {0, 1}) == "0 1 3 4");
  CHECK(carried(ends, goesOn, names, {0, 2}) == "0 2");
}

TEST_CASE("carried edges: whoever takes a way in the baseline takes its counterparts") {
  std::size_t taken = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    Names names;
    RandomFlow random(seed, names, seed % 3 == 0);
    FlowGraph baseline = random.graph(), current = baseline;
    for (std::uint32_t edits = 1 + random.below(3); edits > 0; --edits)
      random.isOneIn(2) ? random.edit(current) : random.rewrite(current);
    FlowDelta delta = walk(baseline, current, names);
    if (delta.entry)
      continue;
    llvm::BitVector isDangerous(baseline.edges.size()), crossed(baseline.edges.size());
    for (const FlowDifference &difference : delta.dangerous)
      isDangerous.set(difference.edge);
    std::vector<std::uint32_t> now;
    NodeId old{0}, at{0};
    for (int steps = 0; steps < 40; ++steps) {
      std::vector<std::uint32_t> ways;
      for (std::uint32_t i = 0; i < baseline.edges.size(); ++i)
        if (baseline.edges[i].from == old && !isDangerous.test(i))
          ways.push_back(i);
      if (ways.empty())
        break;
      std::uint32_t way = ways[random.below(ways.size())];
      std::optional<std::uint32_t> like = likeEdge(baseline, way, current, at);
      REQUIRE(like);
      crossed.set(way);
      now.push_back(*like);
      old = baseline.edges[way].to;
      at = current.edges[*like].to;
    }
    auto found = carriedEdges(baseline, current, delta.edges, crossed);
    REQUIRE(found);
    for (std::uint32_t edge : now)
      REQUIRE(found->test(edge));
    taken += now.size();
  }
  CHECK(taken > 10000);
}
