#include "select/witness_rows.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

#include <cassert>
#include <set>

namespace retest {

namespace {

std::vector<TestId> both(llvm::ArrayRef<TestId> a, llvm::ArrayRef<TestId> b) {
  std::vector<TestId> result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

void sortTests(std::vector<TestId> &tests) {
  llvm::sort(tests);
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
}

/// The place of a function in the list of its unit.
std::optional<std::uint32_t> positionOf(const ProjectUnit &unit, FunctionId function) {
  auto found = llvm::find(unit.functions, function);
  if (found == unit.functions.end())
    return std::nullopt;
  return static_cast<std::uint32_t>(found - unit.functions.begin());
}

} // namespace

std::vector<std::string> unitsOf(const WantedRows &wanted, const Project &baseline,
                                 const Names &names) {
  std::set<std::string> units;
  for (FunctionId function : wanted.functions)
    units.insert(names.text(baseline[baseline.functionUnits[function.value]].name).str());
  return {units.begin(), units.end()};
}

llvm::Expected<WitnessRows> rowsFor(const WantedRows &wanted, const Project &baseline,
                                    const Names &names, llvm::ArrayRef<UnitCoverage> units,
                                    llvm::ArrayRef<ClassCoverage> constructed) {
  llvm::StringMap<const UnitCoverage *> byName;
  for (const UnitCoverage &unit : units)
    byName[unit.unit] = &unit;
  WitnessRows rows;
  for (FunctionId function : wanted.functions) {
    const ProjectUnit &unit = baseline[baseline.functionUnits[function.value]];
    const UnitCoverage *coverage = byName.lookup(names.text(unit.name));
    std::optional<std::uint32_t> position = positionOf(unit, function);
    if (!coverage || !position)
      continue;
    auto row = llvm::lower_bound(coverage->functions, *position);
    if (row == coverage->functions.end() || *row != *position)
      continue;
    const FunctionCoverage &found = coverage->rows[row - coverage->functions.begin()];
    if (found.edges.size() != baseline[function].flow.edges.size())
      return error(ErrorKind::Store, "{}: its coverage does not fit its functions", coverage->unit);
    rows.functions.emplace(function, found);
  }
  for (const ClassCoverage &type : constructed)
    if (NameId name = names.find(type.name); llvm::is_contained(wanted.constructed, name))
      rows.constructed.emplace(name, type.constructed);
  return rows;
}

std::vector<CoverageClassId> classesOf(const WitnessRows &rows) {
  std::set<CoverageClassId> classes;
  for (const auto &[function, row] : rows.functions) {
    classes.insert(row.entry);
    classes.insert(row.edges.begin(), row.edges.end());
  }
  for (const auto &[name, made] : rows.constructed)
    classes.insert(made);
  return {classes.begin(), classes.end()};
}

WitnessJoin::WitnessJoin(const WitnessRows &rows, llvm::ArrayRef<RecordedTest> tests,
                         const Project &baseline, const Names &names)
    : rows_(rows), testsOfProgram_(baseline.programs.size()) {
  // By each image: a plugin may be loaded by a program that does not know it.
  llvm::StringMap<std::vector<TestId>> byBinary;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    if (!tests[i].unmeasured.empty())
      continue;
    all_.push_back({i});
    for (const std::string &binary : tests[i].programs)
      byBinary[binary].push_back({i});
    if (!tests[i].binary.empty())
      byBinary[tests[i].binary].push_back({i});
  }
  for (std::size_t i = 0; i < baseline.programs.size(); ++i)
    if (auto ran = byBinary.find(names.text(baseline.programs[i].name)); ran != byBinary.end()) {
      testsOfProgram_[i] = ran->second;
      sortTests(testsOfProgram_[i]);
    }
}

const std::vector<TestId> &WitnessJoin::classAt(CoverageClassId id) const {
  auto known = rows_.classes.find(id);
  assert(known != rows_.classes.end() && "the classes of all rows are there");
  return known->second;
}

std::vector<TestId> WitnessJoin::testsReaching(llvm::ArrayRef<Probe> probes) const {
  std::vector<TestId> tests;
  for (const Probe &probe : probes) {
    auto row = rows_.functions.find(probe.function);
    if (row == rows_.functions.end())
      continue;
    assert((!probe.edge || *probe.edge < row->second.edges.size()) && "rows fit their functions");
    llvm::append_range(tests,
                       classAt(probe.edge ? row->second.edges[*probe.edge] : row->second.entry));
  }
  sortTests(tests);
  return tests;
}

std::vector<TestId> WitnessJoin::testsOf(const Witness &witness) const {
  std::vector<TestId> tests = witness.probes.empty() ? all_ : testsReaching(witness.probes);
  if (witness.constructed.isValid()) {
    auto made = rows_.constructed.find(witness.constructed);
    tests = made == rows_.constructed.end() ? std::vector<TestId>()
                                            : both(tests, classAt(made->second));
  }
  if (witness.programs.empty())
    return tests;
  std::vector<TestId> ran;
  for (std::uint32_t program : witness.programs)
    llvm::append_range(ran, testsOfProgram_[program]);
  sortTests(ran);
  return both(tests, ran);
}

} // namespace retest
