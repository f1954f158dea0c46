// Measures the coverage matrix in the store: `coverage_bench DIRECTORY`. Prints the size and the
// time of each step for a suite as docs/bench.md describes it, and for a large one.

#include "db/store.h"
#include "db/store_upkeep.h"
#include "tests/db/made_up_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <sys/resource.h>

using namespace retest;

namespace {

template <class Action> void measure(const char *what, const Action &action) {
  auto start = std::chrono::steady_clock::now();
  action();
  std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  fmt::print("  {:<52} {:9.2f} ms\n", what, passed.count());
}

void run(const SuiteShape &shape, const std::string &directory) {
  std::string path = fmt::format("{}/{}.db", directory, shape.name);
  for (const char *suffix : {"", "-wal", "-shm"})
    std::filesystem::remove(path + suffix);
  Names names;
  std::deque<UnitRecord> units = madeUpUnits(shape, names);
  std::vector<NamedUnit> named;
  for (const UnitRecord &unit : units)
    named.push_back({&unit, &names});
  CoverageMatrix matrix = madeUpMatrix(shape, units);
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
