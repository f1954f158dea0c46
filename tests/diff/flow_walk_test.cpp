#include "diff/flow_walk.h"
#include "tests/notation/flow.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

namespace {

/// The dangerous edges as the baseline writes them, joined by " ; "; "entry" if all are.
std::string dangerous(llvm::StringRef baseline, llvm::StringRef current,
                      llvm::StringRef changedName = "", const Rules &rules = {}) {
  Names names;
  FlowGraph old = flow(baseline, names), now = flow(current, names);
  NameId changed = names.intern(changedName);
  FlowDelta delta = walkFlow(
      old, now, names,
      [&](const Node &node) -> std::optional<Use> {
        for (const Use &use : node.uses)
          if (use.entity == changed)
            return use;
        return std::nullopt;
      },
      rules);
  if (delta.entry)
    return "entry";
  std::vector<std::string> texts;
  for (const FlowDifference &difference : delta.dangerous)
    texts.push_back(edgeText(old.edges[difference.edge], nodeTexts(baseline), names));
  return llvm::join(texts, " ; ");
}

struct Row {
  std::string edit, baseline, current, dangerous, changed = "";
};

void check(std::initializer_list<Row> rows) {
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    CHECK(dangerous(row.baseline, row.current, row.changed) == row.dangerous);
  }
}

} // namespace

TEST_CASE("dangerous edges: one row per kind of edit") {
  check({
      {"nothing", "in -> x ; x -> out", "in -> x ; x -> out", ""},
      {"one branch edited: only the edge into it",
       "in -> x>0 ; x>0 -T-> ret1 ; x>0 -F-> ret2 ; ret1 -> out ; ret2 -> out",
       "in -> x>0 ; x>0 -T-> ret9 ; x>0 -F-> ret2 ; ret9 -> out ; ret2 -> out", "x>0 -T-> ret1"},
      {"condition edited: the edge before it", "in -> x>0 ; x>0 -T-> ret1 ; x>0 -F-> ret2",
       "in -> x>1 ; x>1 -T-> ret1 ; x>1 -F-> ret2", "in -> x>0"},
      {"statement inserted", "in -> a ; a -> b ; b -> out", "in -> a ; a -> n ; n -> b ; b -> out",
       "a -> b"},
      {"statement removed", "in -> a ; a -> n ; n -> b ; b -> out", "in -> a ; a -> b ; b -> out",
       "a -> n"},
      {"branches swapped", "in -> x ; x -T-> a ; x -F-> b", "in -> x ; x -T-> b ; x -F-> a",
       "x -T-> a ; x -F-> b"},
      {"case added: it takes its values from default", "in -> sw ; sw -1-> a ; sw -default-> z",
       "in -> sw ; sw -1-> a ; sw -2-> b ; sw -default-> z", "sw -default-> z"},
      {"case removed: its values go to default now",
       "in -> sw ; sw -1-> a ; sw -2-> b ; sw -default-> z",
       "in -> sw ; sw -1-> a ; sw -default-> z", "sw -2-> b"},
      {"cases reordered", "in -> sw ; sw -1-> a ; sw -2-> b ; sw -default-> z",
       "in -> sw ; sw -2-> b ; sw -1-> a ; sw -default-> z", ""},
      {"a way that was none takes from all", "in -> x ; x -T-> a", "in -> x ; x -T-> a ; x -F-> b",
       "x -T-> a"},
      {"an edge that leads back earlier", "in -> a ; a -> b ; b -T-> b ; b -F-> out",
       "in -> a ; a -> b ; b -T-> a ; b -F-> out", "b -T-> b"},
      {"a tail duplicated", "in -> x ; x -T-> a ; x -F-> b ; a -> t ; b -> t ; t -> out",
       "in -> x ; x -T-> a ; x -F-> b ; a -> t ; b -> t ; t -> out", ""},
  });
}

TEST_CASE("dangerous edges: calls and exceptions") {
  check({
      {"another callee", "in -> call f() ; call f() => out", "in -> call g() ; call g() => out",
       "in -> call f()"},
      {"code after the call", "in -> call f() ; call f() => a ; a -> out",
       "in -> call f() ; call f() => b ; b -> out", "call f() => a"},
      {"a call that may now throw: seen in the callee", "in -> call f() ; call f() => out",
       "in -> call f() ; call f() => out ; call f() ~> raise", ""},
      {"a call that no longer throws", "in -> call f() ; call f() => out ; call f() ~> raise",
       "in -> call f() ; call f() => out", "call f() ~> raise"},
      {"noexcept added", "in -> call f() ; call f() => out ; call f() ~> raise",
       "in -> call f() ; call f() => out ; call f() ~> terminate", "call f() ~> raise"},
      {"first handler removed and the second changed",
       "in -> call f() ; call f() ~> try 1 ; try 1 -> catch A ; catch A -caught-> a ; "
       "catch A -not caught-> catch B ; catch B -caught-> b ; catch B -not caught-> raise",
       "in -> call f() ; call f() ~> try 1 ; try 1 -> catch C ; catch C -caught-> b ; "
       "catch C -not caught-> raise",
       "try 1 -> catch A"},
      {"handlers reordered",
       "in -> try 1 ; try 1 -> catch A ; catch A -caught-> a ; catch A -not caught-> catch B",
       "in -> try 1 ; try 1 -> catch B ; catch B -caught-> b ; catch B -not caught-> catch A",
       "try 1 -> catch A"},
  });
}

TEST_CASE("dangerous edges: locals") {
  check({
      {"renamed", "in -> a [0] ; a [0] -> b [0 1]", "in -> a [3] ; a [3] -> b [3 7]", ""},
      {"another local", "in -> a [0] ; a [0] -> b [1] ; b [1] -> c [0]",
       "in -> a [0] ; a [0] -> b [1] ; b [1] -> c [1]", "b [1] -> c [0]"},
      {"two made one", "in -> a [0] ; a [0] -> b [1]", "in -> a [0] ; a [0] -> b [0]",
       "a [0] -> b [1]"},
  });
}

TEST_CASE("dangerous edges: what a node uses") {
  check({
      {"a changed variable", "in -> a ; a -T-> use v ; a -F-> b",
       "in -> a ; a -T-> use v ; a -F-> b", "a -T-> use v", "v"},
      {"a changed class, behind a branch", "in -> x ; x -T-> make C ; x -F-> out",
       "in -> x ; x -T-> make C ; x -F-> out", "x -T-> make C", "C"},
  });
}

TEST_CASE("dangerous edges: nodes that no edge leads to are roots of their own") {
  check({
      {"unchanged", "in -> a ; a -> out ; b -> out", "in -> a ; a -> out ; b -> out", ""},
      {"changed", "in -> a ; a -> out ; b -> out", "in -> a ; a -> out ; c -> out", "entry"},
      {"behind it", "in -> a ; a -> out ; b -> c", "in -> a ; a -> out ; b -> d", "b -> c"},
      {"one more", "in -> a ; a -> out", "in -> a ; a -> out ; b -> out", "entry"},
  });
}

TEST_CASE("the walk tells which nodes and edges stand for which") {
  Names names;
  FlowGraph old = flow("in -> x ; x -T-> a ; x -F-> b ; b -> out", names);
  FlowGraph now = flow("in -> x ; x -T-> n ; n -> a ; x -F-> b ; b -> out", names);
  FlowDelta delta = walkFlow(old, now, names, [](const Node &) { return std::optional<Use>(); });
  std::string pairs;
  for (NodePair pair : delta.nodes)
    pairs += fmt::format("{}={} ", pair.baseline.value, pair.current.value);
  CHECK(pairs == "0=0 1=1 2=2 4=5 ");
  CHECK(delta.edges == std::vector<EdgePair>{{0, 0}, {2, 2}, {3, 4}});
}

TEST_CASE("graphs whose pairs multiply are given up, as dangerous") {
  auto ring = [](int length, Names &names) {
    FlowGraph graph = flow("in -> x", names);
    graph.nodes.resize(2);
    graph.edges.clear();
    Node node;
    node.elements.push_back({7, {}});
    graph.nodes.insert(graph.nodes.end(), length, node);
    graph.edges.push_back({{0}, {2}, EdgeKind::Flow, names.intern("")});
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(length); ++i)
      graph.edges.push_back({{2 + i}, {2 + (i + 1) % length}, EdgeKind::Flow, names.intern("")});
    return graph;
  };
  Names names;
  FlowGraph old = ring(5000, names), now = ring(4999, names);
  FlowDelta delta = walkFlow(old, now, names, [](const Node &) { return std::optional<Use>(); });
  REQUIRE(delta.entry);
  CHECK(delta.entry->change == FlowChange::TooLarge);
}
