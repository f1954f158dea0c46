// Measures the coverage matrix in the store: `coverage_bench DIRECTORY`. Prints the size and the
// time of each step for a suite as docs/bench.md describes it, and for a large one.

#include "db/store.h"
#include "db/store_upkeep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <random>

#include <sys/resource.h>

using namespace retest;

namespace {

struct Shape {
  const char *name;
  unsigned tests, units, functionsPerUnit, edgesPerFunction;
  double covered;    ///< share of the functions that some test enters
  unsigned perTest;  ///< functions of its own that a test enters, with neighbours
  unsigned ownFiles; ///< files that a test alone uses
  unsigned branches; ///< each so-manieth function has a branch
};

constexpr unsigned kSharedFiles = 40;

template <class Action> void measure(const char *what, const Action &action) {
  auto start = std::chrono::steady_clock::now();
  action();
  std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  fmt::print("  {:<52} {:9.2f} ms\n", what, passed.count());
}

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

std::deque<UnitRecord> unitsOf(const Shape &shape, Names &names) {
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

/// Each test enters functions near a place of its own, and some that many share; of a function that
/// it enters it crosses most edges, and each test misses others.
CoverageMatrix matrixOf(const Shape &shape, const std::deque<UnitRecord> &units) {
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

void run(const Shape &shape, const std::string &directory) {
  std::string path = fmt::format("{}/{}.db", directory, shape.name);
  for (const char *suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(path + suffix);
  Names names;
  std::deque<UnitRecord> units = unitsOf(shape, names);
  std::vector<NamedUnit> named;
  for (const UnitRecord &unit : units)
    named.push_back({&unit, &names});
  CoverageMatrix matrix = matrixOf(shape, units);
  std::size_t edges = 0, members = 0;
  for (const UnitCoverage &unit : matrix.units)
    for (const FunctionCoverage &row : unit.rows)
      edges += row.edges.size();
  for (const auto &tests : matrix.classes)
    members += tests.size();
  fmt::print("{}: {} tests, {} edges, {} of them in covered functions, {} classes with {} tests "
             "on average\n",
             shape.name, shape.tests, shape.units * shape.functionsPerUnit * shape.edgesPerFunction,
             edges, matrix.classes.size(), members / matrix.classes.size());
  BaselineInfo info{"main", "", "", ""};
  {
    Store store = llvm::cantFail(Store::open(path, OpenMode::Write));
    measure("save the graph alone", [&] { llvm::cantFail(store.saveBaseline(info, {named})); });
    measure("save graph and matrix",
            [&] { llvm::cantFail(store.saveBaseline(info, {named}, {}, &matrix)); });
    llvm::cantFail(compact(store));
    StoreSummary summary = llvm::cantFail(summarise(store));
    double perThousand = 1000.0 / shape.tests / (1 << 20);
    fmt::print("  coverage {} KiB, whole store {} KiB: {:.2f} and {:.2f} MiB per 1,000 tests\n",
               summary.baselines[0].coverageBytes / 1024, summary.bytes / 1024,
               static_cast<double>(summary.baselines[0].coverageBytes) * perThousand,
               static_cast<double>(summary.bytes) * perThousand);
  }
  matrix = {};
  units.clear();
  Store store = llvm::cantFail(Store::open(path, OpenMode::Read));
  StoredCoverage coverage = *llvm::cantFail(store.coverage({2}));
  std::vector<RecordedTest> tests;
  measure("read the tests without their files",
          [&] { tests = llvm::cantFail(coverage.tests(TestParts::WithoutFiles)); });
  measure("read the tests with their files",
          [&] { tests = llvm::cantFail(coverage.tests(TestParts::All)); });
  measure("100 edges in 100 units: units, classes, their tests", [&] {
    std::vector<std::string> wanted;
    for (unsigned i = 0; i < 100; ++i)
      wanted.push_back(fmt::format("src/unit_{:04}.cpp", i * shape.units / 100));
    std::vector<CoverageClassId> classes;
    for (const UnitCoverage &unit : llvm::cantFail(coverage.units(wanted)))
      classes.push_back(unit.rows[unit.rows.size() / 2].edges[5]);
    std::vector<bool> isReached(tests.size());
    for (const auto &set : llvm::cantFail(coverage.classes(classes)))
      for (TestId test : set)
        isReached[test.value] = true;
    fmt::print("  {} tests reach one of them\n",
               std::count(isReached.begin(), isReached.end(), true));
  });
  measure("read the whole matrix", [&] { llvm::cantFail(coverage.whole()); });
  measure("check the store", [&] { llvm::cantFail(store.check()); });
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("  largest resident set so far: {} MiB\n", usage.ru_maxrss / 1024);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  run({"small", 2000, 60, 161, 6, 0.57, 7, 1, 2}, argv[1]);
  run({"large", 10'000, 1000, 100, 10, 0.6, 150, 2, 5}, argv[1]);
  run({"dense", 10'000, 1000, 100, 10, 0.6, 1500, 2, 5}, argv[1]);
}
