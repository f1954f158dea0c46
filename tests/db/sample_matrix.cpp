#include "tests/db/sample_matrix.h"

#include <set>

namespace retest {

namespace {

RecordedTest sampleTest(unsigned i, std::mt19937 &random) {
  RecordedTest test;
  test.binary = i % 5 == 0 ? "" : fmt::format("<build>/tests/{}_test", i * 3 / 100);
  test.name = fmt::format("Suite{:02}.Case{:04}\n\xff{}", i / 7, i, std::string(1, '\0'));
  if (!test.binary.empty())
    test.framework = static_cast<Framework>(random() % 4);
  test.suite = fmt::format("Suite{:02}", i / 7);
  test.file = "tests/a_test.cpp";
  test.line = i == 0 ? UINT32_MAX : i;
  if (test.framework && i % 3 != 0)
    test.native = {i % 4 == 1 ? "" : "Case\n\xff", i % 2 == 0, i % 4 == 2};
  test.entries = {"all", fmt::format("entry{}", i)};
  test.settings = {random(), random()};
  test.status = static_cast<TestStatus>(random() % 7);
  test.duration = std::chrono::microseconds(random());
  test.programs = {"<build>/liba.so", test.binary};
  for (unsigned kind = 0; kind < 5; ++kind)
    test.files.push_back({static_cast<FileUseKind>(kind), fmt::format("data/{}", kind),
                          kind == 0 ? fingerprintOf("shared") : Fingerprint{}});
  test.files.push_back({FileUseKind::Read, fmt::format("data/own{}", i), {random(), random()}});
  std::sort(test.files.begin(), test.files.end());
  if (i % 10 == 3)
    test.unmeasured = "it crashed";
  return test;
}

} // namespace

CoverageMatrix sampleMatrix(const SampleUnits &units, unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  CoverageMatrix matrix;
  for (unsigned i = 0; i < count; ++i)
    matrix.tests.push_back(sampleTest(i, random));
  std::sort(matrix.tests.begin(), matrix.tests.end(), [](const auto &a, const auto &b) {
    return std::tie(a.binary, a.name) < std::tie(b.binary, b.name);
  });

  std::set<std::vector<TestId>> classes;
  for (unsigned i = 0; i < count * 2; ++i) {
    std::vector<TestId> tests;
    unsigned rarity = 1 + random() % 20; // 1: all tests
    for (unsigned test = 0; test < count; ++test)
      if (random() % rarity == 0 && matrix.tests[test].unmeasured.empty())
        tests.push_back({test});
    classes.insert(tests);
  }
  classes.insert(std::vector<TestId>{});
  matrix.classes.assign(classes.begin(), classes.end());
  auto anyClass = [&] {
    return CoverageClassId{static_cast<std::uint32_t>(random() % matrix.classes.size())};
  };
  for (const UnitRecord &unit : units.units) {
    UnitCoverage coverage{unit.name, {}, {}};
    for (std::uint32_t place = 0; place < unit.graph.functions.size(); ++place) {
      if (random() % 3 != 0)
        coverage.counted.push_back(place);
      if (random() % 4 == 0)
        continue;
      coverage.functions.push_back(place);
      coverage.rows.push_back({anyClass(), {}});
      for (std::size_t i = 0; i < unit.graph.functions[place].flow.edges.size(); ++i)
        coverage.rows.back().edges.push_back(random() % 3 ? coverage.rows.back().entry
                                                          : anyClass());
    }
    if (!coverage.functions.empty())
      matrix.units.push_back(std::move(coverage));
  }
  for (unsigned i = 0; i < 600; ++i)
    matrix.constructed.push_back({fmt::format("ns::Class{:04}", i), anyClass()});
  matrix.environment = {{"", "compiler /usr/bin/c++", {random(), random()}},
                        {"<build>/t", "library /usr/lib/libz.so.1", {random(), random()}},
                        {"<build>/t", "link flags", {}}};
  return matrix;
}

LoadedMatrix loadedMatrix(Store &store, const std::string &baseline) {
  auto index = store.loadIndex(baseline);
  if (!index)
    return {{}, llvm::toString(index.takeError())};
  auto coverage = store.coverage(index->id);
  if (!coverage)
    return {{}, llvm::toString(coverage.takeError())};
  if (!*coverage)
    return {{}, "no coverage"};
  auto matrix = (*coverage)->whole();
  if (!matrix)
    return {{}, llvm::toString(matrix.takeError())};
  return {std::move(*matrix), ""};
}

} // namespace retest
