// show_matrix [--all] STORE [BASELINE]: a baseline of a store (the newest) as JSON, for checks by
// scripts.
//
//   {"tests": {"binary::name": {"function": [edges]}}, "unmeasured": {"binary::name": "why"}}
//
// With --all as it is stored, since test by test that is gigabytes. Variants of one name are kept
// apart by their units; tests and classes are numbers; the first class of a function is that of its
// entry, then come its edges:
//
//   {"tests": ["binary::name"], "unmeasured": {"binary::name": "why"}, "classes": [[tests]],
//    "rows": [["unit: function", [classes]], ["constructed: class", [class]]]}
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

std::string keyOf(const RecordedTest &test) {
  return llvm::json::fixUTF8(test.binary + "::" + test.name);
}

/// Each function with coverage: handed to `each` with its row.
template <class Each>
void forEachFunction(const Baseline &baseline, const CoverageMatrix &matrix, const Each &each) {
  std::map<std::string, const UnitGraph *> graphs;
  for (const UnitRecord &unit : baseline.units)
    graphs[unit.name] = &unit.graph;
  for (const UnitCoverage &unit : matrix.units)
    for (std::size_t i = 0; i < unit.functions.size(); ++i)
      each(unit.unit, graphs.at(unit.unit)->functions[unit.functions[i]], unit.rows[i]);
}

Crossed crossedIn(const Baseline &baseline, const Names &names, const CoverageMatrix &matrix) {
  Crossed crossed(matrix.tests.size());
  forEachFunction(baseline, matrix,
                  [&](const std::string &, const Function &function, const FunctionCoverage &row) {
                    for (std::uint32_t edge = 0; edge < row.edges.size(); ++edge)
                      for (TestId test : matrix.classes[row.edges[edge].value])
                        crossed[test.value][names.text(function.name).str()].insert(edge);
                  });
  return crossed;
}

llvm::json::Object unmeasuredIn(const CoverageMatrix &matrix) {
  llvm::json::Object unmeasured;
  for (const RecordedTest &test : matrix.tests)
    if (!test.unmeasured.empty())
      unmeasured[keyOf(test)] = llvm::json::fixUTF8(test.unmeasured);
  return unmeasured;
}

llvm::json::Object byTest(const Baseline &baseline, const Names &names,
                          const CoverageMatrix &matrix) {
  Crossed crossed = crossedIn(baseline, names, matrix);
  llvm::json::Object tests;
  for (std::size_t i = 0; i < matrix.tests.size(); ++i) {
    if (!matrix.tests[i].unmeasured.empty())
      continue;
    llvm::json::Object functions;
    for (const auto &[name, edges] : crossed[i])
      functions[llvm::json::fixUTF8(name)] = llvm::json::Array(edges);
    tests[keyOf(matrix.tests[i])] = std::move(functions);
  }
  return llvm::json::Object{{"tests", std::move(tests)}, {"unmeasured", unmeasuredIn(matrix)}};
}

llvm::json::Object asStored(const Baseline &baseline, const Names &names,
                            const CoverageMatrix &matrix) {
  llvm::json::Array tests, classes, rows;
  for (const RecordedTest &test : matrix.tests)
    tests.push_back(keyOf(test));
  for (const std::vector<TestId> &set : matrix.classes) {
    llvm::json::Array numbers;
    for (TestId test : set)
      numbers.push_back(test.value);
    classes.push_back(std::move(numbers));
  }
  forEachFunction(
      baseline, matrix,
      [&](const std::string &unit, const Function &function, const FunctionCoverage &row) {
        llvm::json::Array numbers{row.entry.value};
        for (CoverageClassId edge : row.edges)
          numbers.push_back(edge.value);
        std::string name = unit + ": " + names.text(function.name).str();
        rows.push_back(llvm::json::Array{llvm::json::fixUTF8(name), std::move(numbers)});
      });
  for (const ClassCoverage &made : matrix.constructed)
    rows.push_back(llvm::json::Array{llvm::json::fixUTF8("constructed: " + made.name),
                                     llvm::json::Array{made.constructed.value}});
  return llvm::json::Object{{"tests", std::move(tests)},
                            {"unmeasured", unmeasuredIn(matrix)},
                            {"classes", std::move(classes)},
                            {"rows", std::move(rows)}};
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
  llvm::outs() << llvm::json::Value(showsAll ? asStored(baseline, names, matrix)
                                             : byTest(baseline, names, matrix))
               << "\n";
}
