#include "cov/flow_witness.h"

#include "tests/notation/flow.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// What tells that a node was reached: "t: 1 ; h: 2 3" names the regions around nodes, and
/// "x: 4?" the branch that a node ends with. Regions that counted: "1 4T 4F".
struct Case {
  Names names;
  std::vector<std::string> nodes;
  FlowGraph graph;
  FlowWitness witness;
  std::vector<RegionHit> hits;

  Case(llvm::StringRef text, llvm::StringRef regions, llvm::StringRef counted)
      : nodes(nodeTexts(text)), graph(flow(text, names)), hits(10) {
    witness.nodes.resize(graph.nodes.size());
    witness.edges.resize(graph.edges.size());
    llvm::SmallVector<llvm::StringRef> entries, words;
    regions.split(entries, ';', -1, false);
    for (llvm::StringRef entry : entries) {
      auto [name, list] = entry.split(": ");
      auto node = static_cast<std::uint32_t>(
          std::find(nodes.begin(), nodes.end(), name.trim().str()) - nodes.begin());
      REQUIRE(node < nodes.size());
      words.clear();
      list.split(words, ' ', -1, false);
      for (llvm::StringRef word : words)
        addRegion(node, word);
    }
    words.clear();
    counted.split(words, ' ', -1, false);
    for (llvm::StringRef word : words) {
      RegionHit &hit = hits[numberOf(word)];
      (word.ends_with("F") ? hit.isFalseHit : hit.isHit) = true;
    }
  }

  static std::uint32_t numberOf(llvm::StringRef word) {
    std::uint32_t number = 0;
    word.consumeInteger(10, number);
    return number;
  }

  void addRegion(std::uint32_t node, llvm::StringRef word) {
    if (!word.ends_with("?")) {
      witness.nodes[node].push_back(numberOf(word));
      return;
    }
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
      if (graph.edges[i].from.value == node)
        witness.edges[i] = {{numberOf(word)}, names.text(graph.edges[i].label) == "T"};
  }

  /// Edges of the entry and to the exits are left out, since they tell nothing here.
  std::string crossed() const {
    CrossedEdges result = crossedEdges(graph, witness, hits);
    std::string text = result.isInconsistent ? "all!" : "";
    for (unsigned edge : result.edges.set_bits()) {
      const FlowEdge &each = graph.edges[edge];
      if (result.isInconsistent || each.from.value == 0 ||
          graph.nodes[each.to.value].elements.empty())
        continue;
      text += (text.empty() ? "" : " ; ") + edgeText(each, nodes, names);
    }
    return text;
  }
};

} // namespace

TEST_CASE("witnesses: one row per way to know an edge") {
  struct Row {
    std::string what;
    const char *flow, *regions, *counted;
    std::string crossed;
  };
  const char *branch = "in -> x ; x -T-> t ; t -> out ; x -F-> f ; f -> out";
  const char *handlers = "in -> call g() ; call g() => after ; after -> out ; call g() ~> try ;"
                         " try -> catch A ; catch A -caught-> a ; catch A -not caught-> catch B ;"
                         " catch B -caught-> b ; catch B -not caught-> raise ; a -> out ; b -> out";
  const char *handlerRegions = "call g(): 0 ; after: 1 ; a: 2 ; b: 3";
  const Row rows[] = {
      {"the side of a branch", branch, "x: 0 1? ; t: 0 ; f: 0", "0 1T", "x -T-> t"},
      {"both sides", branch, "x: 0 1? ; t: 0 ; f: 0", "0 1T 1F", "x -T-> t ; x -F-> f"},
      {"without a branch: the region at its end", branch, "x: 0 ; t: 1 ; f: 2", "0 2", "x -F-> f"},
      {"without either: nothing tells the sides apart", branch, "x: 0", "0", "x -T-> t ; x -F-> f"},
      {"several regions around a node: one of them is enough", branch, "x: 0 ; t: 1 3 ; f: 2",
       "0 3", "x -T-> t"},
      {"a branch counts where it was reached only",
       "in -> x ; x -T-> y ; y -T-> t ; y -F-> out ; t -> out ; x -F-> f ; f -> out",
       "x: 0 1? ; y: 2? ; f: 0", "0 1F 2T", "x -F-> f"},
      // Rule 13.
      {"a call that may throw: its handlers are witnessed by what stands in them", handlers,
       handlerRegions, "0 1",
       "call g() => after ; call g() ~> try ; try -> catch A ;"
       " catch A -not caught-> catch B"},
      {"the first handler took it", handlers, handlerRegions, "0 2",
       "call g() ~> try ; try -> catch A ; catch A -caught-> a ; catch A -not caught-> catch B"},
      {"a later one: the exception passed the first", handlers, handlerRegions, "0 3",
       "call g() ~> try ; try -> catch A ; catch A -not caught-> catch B ;"
       " catch B -caught-> b"},
      {"a cleanup has no place of its own: the call that throws is its witness",
       "in -> call g() ; call g() => out ; call g() ~> cleanup A::~A() ;"
       " cleanup A::~A() ~> raise",
       "call g(): 0", "0", "call g() ~> cleanup A::~A()"},
      // Rule 14.
      {"a node that no edge leads to is a way in of its own",
       "in -> x ; x -> out ; loose -> y ; y -> out", "x: 0 ; loose: 1 ; y: 1", "0 1", "loose -> y"},
      {"but not if its region says that nobody was there",
       "in -> x ; x -> out ; loose -> y ; y -> out", "x: 0 ; loose: 1 ; y: 1", "0", ""},
      {"nor if nobody left it: the condition of do { ... return } while (false)",
       "in -> x ; x -> out ; loose -> y ; y -> out", "x: 0 ; loose: 0 ; y: 1", "0", ""},
      // Counts that contradict the graph.
      {"a region that counted, and to which no way leads: all edges", branch,
       "x: 0 1? ; t: 2 ; f: 0", "0 2 1F", "all!"},
      {"a branch that went nowhere: all edges", branch, "x: 0 1? ; t: 0 ; f: 0", "0", "all!"},
      {"a call may go nowhere: it ends the process",
       "in -> call exit() ; call exit() => after ; after -> out", "call exit(): 0 ; after: 1", "0",
       ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(Case(row.flow, row.regions, row.counted).crossed() == row.crossed);
  }
}

TEST_CASE("witnesses: a comment makes regions, and moves the others in their list; no edge moves") {
  using namespace llvm::coverage;
  Names names;
  FlowGraph graph = flow("in -> x ; x -T-> t ; t -> out ; x -F-> f ; f -> out", names);
  const std::pair<std::uint32_t, std::uint32_t> places[] = {{2, 7}, {4, 5}, {6, 3}}; // x, t, f
  for (std::size_t i = 0; i < std::size(places); ++i) {
    SourcePosition place{names.intern("a.cpp"), places[i].first, places[i].second};
    graph.nodes[i + 2].elements.front().where = {place, place};
  }
  Counter entry = Counter::getCounter(0), taken = Counter::getCounter(1);
  Counter rest = Counter::getExpression(0);
  CountedFunction function;
  function.counterCount = 2;
  function.files = {"a.cpp"};
  function.expressions = {{CounterExpression::Subtract, entry, taken}};
  const auto body = CounterMappingRegion::makeRegion(entry, 0, 1, 1, 9, 2);
  const auto branch = CounterMappingRegion::makeBranchRegion(taken, rest, 0, 2, 7, 2, 8);
  const auto block = CounterMappingRegion::makeRegion(taken, 0, 2, 10, 5, 4);
  const auto after = CounterMappingRegion::makeRegion(rest, 0, 5, 5, 9, 2);
  const auto comment = CounterMappingRegion::makeSkipped(0, 3, 5, 3, 20);
  const auto inLine = CounterMappingRegion::makeSkipped(0, 4, 5, 4, 12); // /* why */ return 1;
  using Regions = std::vector<CounterMappingRegion>;
  for (const Regions &regions : {Regions{body, branch, block, after},
                                 Regions{body, comment, inLine, branch, block, after}}) {
    function.regions = regions;
    auto nameOf = [](llvm::StringRef file) { return file.str(); };
    FlowWitness witness = witnessOf(graph, RegionFinder(function, names, nameOf), names);
    auto crossed = [&](std::vector<std::uint64_t> counters) {
      CrossedEdges edges = crossedEdges(graph, witness, hitsOf(function, counters));
      CHECK(!edges.isInconsistent);
      return std::pair(edges.edges.test(1), edges.edges.test(2)); // T, F
    };
    CHECK(crossed({1, 1}) == std::pair(true, false));
    CHECK(crossed({1, 0}) == std::pair(false, true));
  }
}
