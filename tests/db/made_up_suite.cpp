#include "tests/db/made_up_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

namespace retest {

namespace {

constexpr unsigned kSharedFiles = 40;

Function function(unsigned number, unsigned edges, NameId file, Names &names) {
  Function result;
  result.name = names.intern(fmt::format("project::module{}::Worker::step_{}(int, std::string "
                                         "const&)",
                                         number / 100, number));
  result.fingerprint = fingerprintOf(std::to_string(number));
  std::uint32_t line = 10 + number % 500 * 12;
  result.where = {{file, line, 1}, {file, line + 10, 1}};
  for (unsigned i = 0; i < edges; ++i) {
    Node node;
    node.elements.push_back({number * 64ULL + i, {{file, line + i, 3}, {file, line + i, 20}}});
    result.flow.nodes.push_back(node);
    result.flow.edges.push_back(
        {NodeId{i}, NodeId{(i + 1) % edges}, EdgeKind::Flow, names.intern("")});
  }
  return result;
}

} // namespace

std::deque<UnitRecord> madeUpUnits(const SuiteShape &shape, Names &names) {
  std::deque<UnitRecord> units;
  for (unsigned i = 0; i < shape.units; ++i) {
    UnitRecord &unit = units.emplace_back();
    unit.name = unit.source = fmt::format("src/unit_{:04}.cpp", i);
    unit.graph.name = names.intern(unit.name);
    unit.inputs = {{unit.name, fingerprintOf(unit.name)}};
    for (unsigned j = 0; j < shape.functionsPerUnit; ++j)
      unit.graph.functions.push_back(function(
          i * shape.functionsPerUnit + j, shape.edgesPerFunction, names.intern(unit.name), names));
  }
  return units;
}

CoverageMatrix madeUpMatrix(const SuiteShape &shape, const std::deque<UnitRecord> &units) {
  std::mt19937_64 random(1);
  unsigned functions = shape.units * shape.functionsPerUnit;
  unsigned covered = static_cast<unsigned>(functions * shape.covered);
  std::vector<std::vector<TestId>> entered(functions);
  for (unsigned test = 0; test < shape.tests; ++test) {
    std::vector<unsigned> mine;
    unsigned home = static_cast<unsigned>(std::uint64_t{test} * covered / shape.tests);
    for (unsigned i = 0; i < shape.perTest; ++i)
      mine.push_back((home + random() % (shape.perTest * 4)) % covered);
    for (unsigned i = 0; i < shape.perTest; ++i) // the lower, the more common
      mine.push_back(covered - 1 -
                     std::min<unsigned>(covered - 1, std::geometric_distribution<unsigned>(
                                                         20.0 / covered)(random)));
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    for (unsigned one : mine)
      entered[one].push_back({test});
  }
  CoverageMatrix matrix;
  std::map<std::vector<TestId>, std::uint32_t> known{{{}, 0}};
  auto classOf = [&](const std::vector<TestId> &tests) {
    auto [entry, isNew] = known.try_emplace(tests, known.size());
    if (isNew)
      matrix.classes.push_back(tests);
    return CoverageClassId{entry->second};
  };
  for (unsigned u = 0; u < shape.units; ++u) {
    UnitCoverage unit{units[u].name, {}, {}};
    for (unsigned j = 0; j < shape.functionsPerUnit; ++j) {
      const std::vector<TestId> &tests = entered[u * shape.functionsPerUnit + j];
      if (tests.empty())
        continue;
      unit.functions.push_back(j);
      FunctionCoverage &row = unit.rows.emplace_back();
      row.entry = classOf(tests);
      // Some functions have a branch: some tests go left, the others right.
      std::vector<TestId> left, right;
      for (TestId test : tests)
        (random() % 3 ? left : right).push_back(test);
      CoverageClassId leftClass = j % shape.branches ? row.entry : classOf(left);
      CoverageClassId rightClass = j % shape.branches ? row.entry : classOf(right);
      for (unsigned e = 0; e < shape.edgesPerFunction; ++e)
        row.edges.push_back(e % 6 < 3 ? row.entry : e % 6 < 5 ? leftClass : rightClass);
    }
    if (!unit.functions.empty())
      matrix.units.push_back(std::move(unit));
  }
  for (unsigned i = 0; i < shape.tests; ++i) {
    RecordedTest test;
    test.binary = fmt::format("<build>/tests/part_{:02}_test", i * 20 / shape.tests);
    test.name = fmt::format("SomeSuite{:04}.DoesWhatItShould{:05}", i / 10, i);
    test.framework = Framework::GoogleTest;
    test.suite = fmt::format("SomeSuite{:04}", i / 10);
    test.file = fmt::format("tests/some_suite_{:04}_test.cpp", i / 10);
    test.line = 10 + i % 10 * 12;
    test.entries = {fmt::format("{}.{}", test.suite, test.name)};
    test.settings = fingerprintOf(test.name);
    test.status = TestStatus::Passed;
    test.duration = std::chrono::microseconds(random() % 100'000);
    test.programs = {"<build>/lib/libcore.so", test.binary};
    for (unsigned file = 0; file < kSharedFiles; ++file)
      test.files.push_back({FileUseKind::Read, fmt::format("data/shared_{:02}", file), {1, file}});
    for (unsigned file = 0; file < shape.ownFiles; ++file)
      test.files.push_back({FileUseKind::Written, fmt::format("out/{}_{}", i, file), {}});
    matrix.tests.push_back(std::move(test));
  }
  for (unsigned i = 0; i < functions / 20; ++i)
    matrix.constructed.push_back(
        {fmt::format("project::module{:04}::Worker<project::Item{}>", i, i % 7),
         CoverageClassId{static_cast<std::uint32_t>(random() % matrix.classes.size())}});
  return matrix;
}

} // namespace retest
