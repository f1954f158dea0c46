// show_matrix STORE: the newest baseline of a store as JSON, for checks by scripts.
//
//   {"tests": {"binary::name": {"function": [edges]}}, "unmeasured": {"binary::name": "why"}}
#include "db/store.h"
#include "graph/names.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <set>

using namespace retest;

namespace {

/// By test and function: the edges that it may have crossed.
using Crossed = std::vector<std::map<std::string, std::set<std::uint32_t>>>;

llvm::Expected<Crossed> crossedIn(const Baseline &baseline, const Names &names,
                                  const CoverageMatrix &matrix) {
  std::map<std::string, const UnitGraph *> graphs;
  for (const UnitRecord &unit : baseline.units)
    graphs[unit.name] = &unit.graph;
  Crossed crossed(matrix.tests.size());
  for (const UnitCoverage &unit : matrix.units)
    for (std::size_t i = 0; i < unit.functions.size(); ++i) {
      const Function &function = graphs.at(unit.unit)->functions[unit.functions[i]];
      for (std::uint32_t edge = 0; edge < unit.rows[i].edges.size(); ++edge)
        for (TestId test : matrix.classes[unit.rows[i].edges[edge].value])
          crossed[test.value][names.text(function.name).str()].insert(edge);
    }
  return crossed;
}

} // namespace

int main(int count, char **arguments) {
  if (count != 2) {
    llvm::errs() << "usage: show_matrix STORE\n";
    return 2;
  }
  llvm::ExitOnError orExit("show_matrix: ");
  Store store = orExit(Store::open(arguments[1], OpenMode::Read));
  Names names;
  Baseline baseline = orExit(store.loadBaseline("", names));
  std::optional<StoredCoverage> coverage = orExit(store.coverage(baseline.id));
  if (!coverage) {
    llvm::errs() << "show_matrix: no tests in " << arguments[1] << "\n";
    return 1;
  }
  CoverageMatrix matrix = orExit(coverage->whole());
  Crossed crossed = orExit(crossedIn(baseline, names, matrix));
  llvm::json::Object tests, unmeasured;
  for (std::size_t i = 0; i < matrix.tests.size(); ++i) {
    const RecordedTest &test = matrix.tests[i];
    std::string key = test.binary + "::" + test.name;
    if (!test.unmeasured.empty()) {
      unmeasured[key] = test.unmeasured;
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
