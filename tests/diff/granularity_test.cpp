#include "diff/granularity.h"

#include "diff/compare.h"
#include "tests/notation/program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <set>

using namespace retest;

namespace {

struct Pair {
  Names names;
  Project baseline, current;

  Delta at(Granularity granularity) const {
    return coarsened(compare(baseline, current, names), baseline, current, names, granularity);
  }
  /// "f(): edge 0", "f(): every call", one line for each dangerous edge.
  std::string show(Granularity granularity) const {
    std::string text;
    for (const DangerousEdge &edge : at(granularity).edges) {
      std::string name = names.text(baseline[edge.function].name).str();
      text += edge.place == EdgePlace::Entry  ? name + ": every call"
              : edge.place == EdgePlace::Flow ? fmt::format("{}: edge {}", name, edge.edge)
                                              : fmt::format("{}: node {}", name, edge.node.value);
      for (std::uint32_t program : edge.programs)
        text += " in " + names.text(baseline.programs[program].name).str();
      text += "\n";
    }
    return text;
  }
};

Pair pairOf(llvm::ArrayRef<UnitText> baseline, llvm::ArrayRef<UnitText> current,
            const char *planBefore = "", const char *planAfter = "") {
  Pair pair;
  pair.baseline = linked(baseline, planBefore, pair.names);
  pair.current = linked(current, planAfter, pair.names);
  return pair;
}

/// What one test did in the baseline: the program it ran, and every way it took.
struct Run {
  std::uint32_t program = 0;
  std::set<FunctionId> entered;
  std::set<std::pair<FunctionId, std::uint32_t>> flow;
  std::set<std::pair<FunctionId, NodeId>> nodes;
};

bool isSelected(const Run &run, const Delta &delta) {
  for (const DangerousProgram &program : delta.programs)
    if (program.program == run.program)
      return true;
  for (const DangerousEdge &edge : delta.edges) {
    if (!edge.programs.empty() && !llvm::is_contained(edge.programs, run.program))
      continue;
    bool isCrossed = edge.place == EdgePlace::Entry ? run.entered.contains(edge.function)
                     : edge.place == EdgePlace::Flow
                         ? run.flow.contains({edge.function, edge.edge})
                         : run.nodes.contains({edge.function, edge.node});
    if (isCrossed)
      return true;
  }
  return false;
}

/// Random programs of a few units, written in the notation.
class RandomPrograms {
public:
  explicit RandomPrograms(unsigned seed) : random_(seed) {}

  Pair pair() {
    Texts before = version(), after = before;
    for (std::string &text : after)
      if (below(2) == 0)
        text = edited(text);
    return pairOf(unitsOf(before), unitsOf(after), "t1 = a.cpp b.cpp ; t2 = b.cpp c.cpp",
                  below(4) == 0 ? "t1 = a.cpp b.cpp c.cpp ; t2 = b.cpp c.cpp"
                                : "t1 = a.cpp b.cpp ; t2 = b.cpp c.cpp");
  }

  /// A walk through some functions of one program.
  Run run(const Project &project) {
    Run run;
    run.program = below(project.programs.size());
    std::vector<FunctionId> functions = functionsOf(project, project.programs[run.program]);
    for (unsigned count = below(4); count > 0 && !functions.empty(); --count)
      walk(project, functions[below(functions.size())], run);
    return run;
  }

private:
  using Texts = std::array<std::string, 3>;

  std::uint32_t below(std::uint32_t limit) { return random_() % limit; }

  std::string function(char unit, unsigned index) {
    std::string text = fmt::format("strong {}{}(): in -> x{}", unit, index, below(3));
    std::string last = text.substr(text.rfind(' ') + 1);
    for (unsigned step = below(4); step > 0; --step) {
      std::string next = below(3) == 0 ? fmt::format("call {}{}()", "abc"[below(3)], below(3))
                                       : fmt::format("y{}{}", step, below(3));
      bool isCall = last.starts_with("call");
      text += fmt::format(" ; {} {} {}", last, isCall ? "=>" : "-T->", next);
      if (!isCall && below(2) == 0)
        text += fmt::format(" ; {} -F-> out", last);
      last = next;
    }
    return text + fmt::format(" ; {} {} out\n", last, last.starts_with("call") ? "=>" : "->");
  }

  Texts version() {
    Texts texts;
    for (unsigned unit = 0; unit < 3; ++unit)
      for (unsigned index = 0; index < 3; ++index)
        texts[unit] += function("abc"[unit], index);
    return texts;
  }

  /// One line gone, new or written anew.
  std::string edited(const std::string &text) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    std::string result;
    std::uint32_t chosen = below(lines.size());
    for (std::uint32_t i = 0; i < lines.size(); ++i)
      if (i != chosen)
        result += lines[i].str() + "\n";
      else if (below(4) != 0)
        result += function(lines[i][7], lines[i][8] - '0');
    return result;
  }

  static std::vector<UnitText> unitsOf(const Texts &texts) {
    return {{"a.cpp", texts[0].c_str()}, {"b.cpp", texts[1].c_str()}, {"c.cpp", texts[2].c_str()}};
  }

  void walk(const Project &project, FunctionId function, Run &run) {
    run.entered.insert(function);
    const FlowGraph &flow = project[function].flow;
    NodeId at{0};
    for (unsigned steps = 0; steps < 20; ++steps) {
      run.nodes.insert({function, at});
      std::vector<std::uint32_t> ways;
      for (std::uint32_t edge = 0; edge < flow.edges.size(); ++edge)
        if (flow.edges[edge].from == at)
          ways.push_back(edge);
      if (ways.empty())
        return;
      std::uint32_t taken = ways[below(ways.size())];
      run.flow.insert({function, taken});
      at = flow.edges[taken].to;
    }
  }

  std::mt19937 random_;
};

} // namespace

TEST_CASE("granularity: an edge, its function, its file") {
  Pair pair = pairOf({{"a.cpp", "strong f(): in -> x ; x -T-> y ; x -F-> out ; y -> out\n"
                                "strong g(): in -> z ; z -> out"},
                      {"b.cpp", "strong h(): in -> z ; z -> out"}},
                     {{"a.cpp", "strong f(): in -> x ; x -T-> q ; x -F-> out ; q -> out\n"
                                "strong g(): in -> z ; z -> out"},
                      {"b.cpp", "strong h(): in -> z ; z -> out"}});
  CHECK(pair.show(Granularity::Edges) == "f(): edge 1\n");
  CHECK(pair.show(Granularity::Functions) == "f(): every call\n");
  CHECK(pair.show(Granularity::Files) == "f(): every call\ng(): every call\n");
}

TEST_CASE("granularity: what came or went counts as a change of its file") {
  const char *both = "strong f(): in -> x ; x -> out\nstrong g(): in -> z ; z -> out";
  Pair removed =
      pairOf({{"a.cpp", both}, {"b.cpp", "strong h(): in -> out"}},
             {{"a.cpp", "strong f(): in -> x ; x -> out"}, {"b.cpp", "strong h(): in -> out"}});
  CHECK(removed.show(Granularity::Edges) == "");
  CHECK(removed.show(Granularity::Functions) == "g(): every call\n");
  CHECK(removed.show(Granularity::Files) == "f(): every call\ng(): every call\n");
  Pair added = pairOf({{"a.cpp", "strong f(): in -> x ; x -> out"}}, {{"a.cpp", both}});
  CHECK(added.show(Granularity::Functions) == "");
  CHECK(added.show(Granularity::Files) == "f(): every call\n");
}

TEST_CASE("granularity: nothing stays nothing") {
  Pair same = pairOf({{"a.cpp", "strong f(): in -> x ; x -> out"}},
                     {{"a.cpp", "strong f(): in -> x ; x -> out"}});
  for (Granularity level : {Granularity::Edges, Granularity::Functions, Granularity::Files})
    CHECK(same.show(level) == "");
}

TEST_CASE("granularity: a program that links another definition is the only one concerned") {
  std::vector<UnitText> units = {{"f.cpp", "strong f(): in -> call g() ; call g() => out"},
                                 {"real.cpp", "strong g(): in -> x ; x -> out"},
                                 {"fake.cpp", "strong g(): in -> y ; y -> out"},
                                 {"m1.cpp", "strong main: in -> call f() ; call f() => out"},
                                 {"m2.cpp", "strong main: in -> call f() ; call f() => out"}};
  Pair pair = pairOf(units, units, "t1 = m1.cpp f.cpp real.cpp ; t2 = m2.cpp f.cpp real.cpp",
                     "t1 = m1.cpp f.cpp real.cpp ; t2 = m2.cpp f.cpp fake.cpp");
  CHECK(pair.show(Granularity::Edges) == "g(): edge 0 in t2\n");
  CHECK(pair.show(Granularity::Functions) == "g(): every call in t2\n");
  CHECK(pair.show(Granularity::Files) == "g(): every call in t2\ng(): every call in t2\n");
}

TEST_CASE("granularity: a test that a finer level selects, each coarser one selects") {
  unsigned selected = 0, skipped = 0, byFileAlone = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomPrograms random(seed);
    Pair pair = random.pair();
    Delta edges = pair.at(Granularity::Edges), functions = pair.at(Granularity::Functions),
          files = pair.at(Granularity::Files);
    for (unsigned test = 0; test < 20; ++test) {
      Run run = random.run(pair.baseline);
      bool byEdge = isSelected(run, edges), byFunction = isSelected(run, functions),
           byFile = isSelected(run, files);
      CHECK((!byEdge || byFunction));
      CHECK((!byFunction || byFile));
      selected += byEdge;
      skipped += !byFile;
      byFileAlone += byFile && !byFunction;
    }
  }
  // Otherwise the property would hold for want of cases.
  CHECK(selected > 100);
  CHECK(skipped > 100);
  CHECK(byFileAlone > 100);
}
