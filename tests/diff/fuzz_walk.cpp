// Walks random pairs of flow graphs and checks what is found against oracles.
//
//     fuzz_walk [PAIRS [SEED]]     until that many node pairs are visited; from that seed on
//
// Prints each seed that goes wrong, with what is wrong and both graphs, and ends with 1 if there is
// one. A seed given with PAIRS 0 is run alone. Then shows that the oracles see it when a rule of
// the walk is missing, and compares a function of 50,000 blocks.
//
// One thing the oracles do not demand: where the baseline ends in a node without a way on (a call
// that does not return) and the current one goes on, there is no edge to be dangerous. The callee
// returns now, and that is seen in the callee.
#include "tests/diff/random_flow.h"
#include "tests/diff/walk_oracle.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

using namespace retest;

namespace {

FlowDelta walk(const FlowGraph &baseline, const FlowGraph &current, const Names &names,
               const Rules &rules = {}) {
  return walkFlow(
      baseline, current, names, [&](const Node &node) { return useOfChanged(node, names); }, rules);
}

std::string show(const FlowGraph &graph, const Names &names) {
  std::string text;
  for (std::uint32_t index = 0; index < graph.nodes.size(); ++index) {
    const Node &node = graph.nodes[index];
    text += fmt::format("  {}: kind {} says", index, static_cast<int>(node.kind));
    for (const Element &element : node.elements)
      text += fmt::format(" {}", element.fingerprint);
    text += fmt::format(" {} locals [{}]", names.text(node.call.callee).str(),
                        fmt::join(node.locals, " "));
    for (const Use &use : node.uses)
      text += " uses " + names.text(use.entity).str();
    for (const FlowEdge &edge : graph.edges)
      if (edge.from.value == index)
        text += fmt::format(" ; {}'{}'-> {}", edge.kind == EdgeKind::Exception ? "throws " : "",
                            names.text(edge.label).str(), edge.to.value);
    text += "\n";
  }
  return text;
}

/// A baseline and what became of it.
struct Version {
  Names names;
  FlowGraph baseline, current;
  bool isHarmless = false, hasLocals = false;
};

Version versionOf(std::uint64_t seed) {
  Version version;
  version.hasLocals = seed % 3 == 0;
  RandomFlow random(seed, version.names, version.hasLocals);
  version.baseline = random.graph();
  version.isHarmless = random.isOneIn(4);
  bool isUnrelated = !version.isHarmless && random.isOneIn(8);
  version.current = isUnrelated ? random.graph() : version.baseline;
  for (std::uint32_t i = random.below(4); i > 0; --i)
    random.rewrite(version.current);
  if (!version.isHarmless)
    for (std::uint32_t i = 1 + random.below(4); i > 0; --i)
      random.edit(version.current);
  return version;
}

std::string isEmpty(const FlowDelta &delta) {
  return delta.isEmpty() ? "" : "a difference where there is none";
}

bool isGivenUp(const FlowDelta &delta) {
  return delta.entry && delta.entry->change == FlowChange::TooLarge;
}

struct Visited {
  std::size_t nodePairs = 0, givenUp = 0;
};

/// What is wrong with the walk over one pair of graphs.
std::string check(std::uint64_t seed, Visited &visited) {
  Version version = versionOf(seed);
  auto &[names, baseline, current, isHarmless, hasLocals] = version;
  FlowDelta delta = walk(baseline, current, names);
  visited.nodePairs += delta.nodes.size();
  visited.givenUp += isGivenUp(delta);
  std::string wrong = checkForm(baseline, current, delta);
  if (wrong.empty() && !hasLocals)
    wrong = checkExact(baseline, current, delta, names);
  for (std::uint64_t input = 0; wrong.empty() && input < 8; ++input)
    wrong = checkRun(baseline, current, delta, names, seed * 8 + input);

  // Without the use of something that changed, a graph is like itself and like what it was
  // rewritten to, unless that was given up.
  for (FlowGraph *graph : {&baseline, &current})
    for (Node &node : graph->nodes)
      node.uses.clear();
  if (wrong.empty())
    wrong = isEmpty(walk(baseline, baseline, names));
  if (wrong.empty() && isHarmless) {
    FlowDelta rewritten = walk(baseline, current, names);
    wrong = isGivenUp(rewritten) ? "" : isEmpty(rewritten);
  }
  return wrong;
}

bool report(std::uint64_t seed, const std::string &wrong) {
  if (wrong.empty())
    return false;
  Version version = versionOf(seed);
  fmt::print("seed {}: {}\n baseline\n{} current\n{}", seed, wrong,
             show(version.baseline, version.names), show(version.current, version.names));
  return true;
}

/// That the runs are no idle check: without any one rule of the walk, one of them goes wrong.
bool checkRules() {
  bool isRight = true;
  for (Rule rule :
       {Rule::Nodes, Rule::Locals, Rule::RemovedEdges, Rule::AddedEdges, Rule::LooseNodes}) {
    std::string wrong;
    std::uint64_t seed = 0;
    while (wrong.empty() && ++seed < 20000) {
      Version version = versionOf(seed);
      auto &[names, baseline, current, isHarmless, hasLocals] = version;
      FlowDelta delta = walk(baseline, current, names, Rules().without(rule));
      wrong = checkRun(baseline, current, delta, names, seed);
    }
    fmt::print("without the rule {}: {}\n", nameOf(rule).str(),
               wrong.empty() ? "no run shows it" : fmt::format("seed {}: {}", seed, wrong));
    isRight &= !wrong.empty();
  }
  return isRight;
}

/// A function of many blocks: branches that join again, inside one loop.
FlowGraph longFunction(std::uint32_t blocks, Names &names, std::uint32_t edited) {
  FlowGraph graph;
  auto add = [&](std::uint64_t says) {
    Node node;
    node.elements.push_back({says, {}});
    node.locals = {static_cast<std::uint32_t>(graph.nodes.size() % 100)};
    graph.nodes.push_back(std::move(node));
  };
  graph.nodes.resize(2);
  graph.nodes[0].kind = NodeKind::Entry;
  graph.nodes[1].kind = NodeKind::Exit;
  graph.edges.push_back({{0}, {2}, EdgeKind::Flow, names.intern("")});
  for (std::uint32_t at = 2; at < blocks; at += 2) {
    add(at % 7); // many say the same
    add(at == edited ? 1000 : at % 11);
    std::uint32_t next = at + 2 < blocks ? at + 2 : 1;
    graph.edges.push_back({{at}, {at + 1}, EdgeKind::Flow, names.intern("T")});
    graph.edges.push_back({{at}, {next}, EdgeKind::Flow, names.intern("F")});
    graph.edges.push_back({{at + 1}, {next == 1 ? 2 : next}, EdgeKind::Flow, names.intern("")});
  }
  return graph;
}

bool compareLongFunction() {
  constexpr std::uint32_t kBlocks = 50000;
  Names names;
  FlowGraph baseline = longFunction(kBlocks, names, 0);
  FlowGraph current = longFunction(kBlocks, names, kBlocks / 2);
  auto start = std::chrono::steady_clock::now();
  FlowDelta delta = walk(baseline, current, names);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  bool isRight = !delta.entry && delta.dangerous.size() == 1;
  fmt::print("{} blocks, one edited: {} dangerous edges, {} pairs, {:.3f} s\n",
             baseline.nodes.size(), delta.dangerous.size(), delta.nodes.size(), time.count());
  return isRight;
}

} // namespace

int main(int argc, char **argv) {
  std::size_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::uint64_t seed = first;
  std::size_t wrong = 0;
  Visited visited;
  do
    wrong += report(seed, check(seed, visited));
  while (++seed, visited.nodePairs < wanted && wrong < 10);
  fmt::print("{} graph pairs, {} node pairs visited, {} graph pairs given up, {} wrong\n",
             seed - first, visited.nodePairs, visited.givenUp, wrong);
  bool isRight = checkRules();
  isRight &= compareLongFunction();
  return wrong == 0 && isRight ? 0 : 1;
}
