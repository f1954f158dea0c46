#include "db/valid_matrix.h"

#include "db/coverage_bytes.h"
#include "support/error.h"

#include <algorithm>
#include <functional>

namespace retest {
namespace {

template <class Range, class Key> bool isAscending(const Range &range, const Key &key) {
  return std::adjacent_find(range.begin(), range.end(), [&](const auto &a, const auto &b) {
           return !(key(a) < key(b));
         }) == range.end();
}

llvm::Error validateTests(const std::vector<RecordedTest> &tests) {
  if (tests.size() > kMostTests)
    return error("more tests than a store can hold");
  auto key = [](const RecordedTest &test) { return std::tie(test.binary, test.name); };
  for (std::size_t i = 1; i < tests.size(); ++i)
    if (!(key(tests[i - 1]) < key(tests[i])))
      return error("{}: a test that is there twice, or not in its place", idOf(tests[i]));
  return llvm::Error::success();
}

llvm::Error validateClasses(const CoverageMatrix &matrix) {
  if (matrix.classes.empty() || !matrix.classes.front().empty())
    return error("coverage class 0 is not the empty one");
  if (matrix.classes.size() > kMostClasses)
    return error("more coverage classes than a store can hold");
  for (std::size_t i = 0; i < matrix.classes.size(); ++i) {
    if (!isAscending(matrix.classes[i], std::identity()))
      return error("coverage class {} is not sorted", i);
    for (TestId test : matrix.classes[i]) {
      if (test.value >= matrix.tests.size())
        return error("coverage class {} has a test that is not there", i);
      if (!matrix.tests[test.value].unmeasured.empty())
        return error("{}: unmeasured, but in coverage class {}", idOf(matrix.tests[test.value]), i);
    }
  }
  return llvm::Error::success();
}

llvm::Error validateUnit(const UnitCoverage &unit, std::size_t classes) {
  auto isKnown = [&](CoverageClassId id) { return id.value < classes; };
  if (unit.functions.size() != unit.rows.size() || !isAscending(unit.functions, std::identity()) ||
      !isAscending(unit.counted, std::identity()))
    return error("{}: its functions are not sorted", unit.unit);
  std::uint64_t edges = 0;
  for (const FunctionCoverage &row : unit.rows) {
    if (!isKnown(row.entry) || !std::all_of(row.edges.begin(), row.edges.end(), isKnown))
      return error("{}: a coverage class that is not there", unit.unit);
    edges += row.edges.size();
  }
  if (edges > kMostEdges)
    return error("{}: more edges than a store can hold", unit.unit);
  return llvm::Error::success();
}

} // namespace

llvm::Error validate(const CoverageMatrix &matrix) {
  if (llvm::Error wrong = validateTests(matrix.tests))
    return wrong;
  if (llvm::Error wrong = validateClasses(matrix))
    return wrong;
  if (!isAscending(matrix.units, std::mem_fn(&UnitCoverage::unit)))
    return error("units with coverage are not sorted");
  for (const UnitCoverage &unit : matrix.units)
    if (llvm::Error wrong = validateUnit(unit, matrix.classes.size()))
      return wrong;
  if (!isAscending(matrix.environment,
                   [](const EnvironmentPart &part) { return std::tie(part.binary, part.what); }))
    return error("the environment is not sorted");
  if (!isAscending(matrix.constructed, std::mem_fn(&ClassCoverage::name)))
    return error("constructed classes are not sorted");
  for (const ClassCoverage &type : matrix.constructed)
    if (type.constructed.value >= matrix.classes.size())
      return error("{}: a coverage class that is not there", type.name);
  return llvm::Error::success();
}

} // namespace retest
