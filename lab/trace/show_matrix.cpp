// show_matrix [--all] STORE [BASELINE]: a baseline of a store (the newest) as JSON, for checks by
// scripts.
//
//   {"tests": {"binary::name": {"function": [edges]}}, "unmeasured": {"binary::name": "why"}}
//
// With --all a function is told as "unit: function", so that variants of one name are kept apart;
// its entry is edge -1; and "constructed: class" has [0].
#include "db/store.h"
#include "graph/names.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <set>

using namespace retest;

namespace {

/// By test and function: the edges that it may have crossed.
using Crossed = std::vector<std::map<std::string, std::set<std::int64_t>>>;

Crossed crossedIn(const Baseline &baseline, const Names &names, const CoverageMatrix &matrix,
                  bool showsAll) {
  std::map<std::string, const UnitGraph *> graphs;
  for (const UnitRecord &unit : baseline.units)
    graphs[unit.name] = &unit.graph;
  Crossed crossed(matrix.tests.size());
  auto add = [&](CoverageClassId tests, const std::string &what, std::int64_t edge) {
    for (TestId test : matrix.classes[tests.value])
      crossed[test.value][what].insert(edge);
  };
  for (const UnitCoverage &unit : matrix.units)
    for (std::size_t i = 0; i < unit.functions.size(); ++i) {
      const Function &function = graphs.at(unit.unit)->functions[unit.functions[i]];
      std::string name = names.text(function.name).str();
      if (showsAll) {
        name = unit.unit + ": " + name;
        add(unit.rows[i].entry, name, -1);
      }
      for (std::size_t edge = 0; edge < unit.rows[i].edges.size(); ++edge)
        add(unit.rows[i].edges[edge], name, static_cast<std::int64_t>(edge));
    }
  if (showsAll)
    for (const ClassCoverage &made : matrix.constructed)
      add(made.constructed, "constructed: " + made.name, 0);
  return crossed;
}

} // namespace

int main(int count, char **arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  const bool showsAll = !words.empty() && words.front() == "--all";
  if (showsAll)
    words.erase(words.begin());
  if (words.empty() || words.size() > 2) {
    llvm::errs() << "usage: show_matrix [--all] STORE [BASELINE]\n";
    return 2;
  }
  llvm::ExitOnError orExit("show_matrix: ");
  Store store = orExit(Store::open(words[0], OpenMode::Read));
  Names names;
  Baseline baseline = orExit(store.loadBaseline(words.size() == 2 ? words[1] : "", names));
  std::optional<StoredCoverage> coverage = orExit(store.coverage(baseline.id));
  if (!coverage) {
    llvm::errs() << "show_matrix: no tests in " << words[0] << "\n";
    return 1;
  }
  CoverageMatrix matrix = orExit(coverage->whole());
  Crossed crossed = crossedIn(baseline, names, matrix, showsAll);
  llvm::json::Object tests, unmeasured;
  for (std::size_t i = 0; i < matrix.tests.size(); ++i) {
    const RecordedTest &test = matrix.tests[i];
    std::string key = llvm::json::fixUTF8(test.binary + "::" + test.name);
    if (!test.unmeasured.empty()) {
      unmeasured[key] = llvm::json::fixUTF8(test.unmeasured);
      continue;
    }
    llvm::json::Object functions;
    for (const auto &[name, edges] : crossed[i])
      functions[llvm::json::fixUTF8(name)] = llvm::json::Array(edges);
    tests[key] = std::move(functions);
  }
  llvm::outs() << llvm::json::Value(llvm::json::Object{{"tests", std::move(tests)},
                                                       {"unmeasured", std::move(unmeasured)}})
               << "\n";
}
