#include "cli/nearest_function.h"

#include "cli/baselines.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

using Changes = std::map<std::string, std::vector<const ReportedReason *>>; ///< by file

Changes changesOf(const SelectionReport &report) {
  Changes changes;
  for (const ReportedReason &reason : report.reasons)
    if (!reason.edge.empty() && !reason.path.empty())
      changes[reason.path].push_back(&reason);
  return changes;
}

/// The units that read one of the files, which may be headers.
std::vector<const StoredUnit *> unitsReading(const Changes &changes, const BaselineIndex &index) {
  std::vector<const StoredUnit *> units;
  for (const StoredUnit &unit : index.units)
    if (llvm::any_of(unit.files.inputs, [&](FileVersionId input) {
          if (input.value >= index.files.versions.size())
            return false;
          PathId path = index.files.versions[input.value].path;
          return path.isValid() && changes.count(index.files.paths[path.value]) > 0;
        }))
      units.push_back(&unit);
  return units;
}

/// The functions that a test entered, by their places in the unit, and so for each unit.
class EnteredFunctions {
public:
  EnteredFunctions(StoredCoverage &coverage, TestId test) : coverage_(coverage), test_(test) {}

  llvm::Expected<std::vector<std::uint32_t>> of(const UnitCoverage &unit) {
    std::set<CoverageClassId> fresh;
    for (const FunctionCoverage &row : unit.rows)
      if (!has_.count(row.entry))
        fresh.insert(row.entry);
    std::vector<CoverageClassId> ids(fresh.begin(), fresh.end());
    auto sets = coverage_.classes(ids);
    if (!sets)
      return sets.takeError();
    for (auto [id, tests] : llvm::zip_equal(ids, *sets))
      has_[id] = std::binary_search(tests.begin(), tests.end(), test_);
    std::vector<std::uint32_t> entered;
    for (auto [place, row] : llvm::zip_equal(unit.functions, unit.rows))
      if (has_[row.entry])
        entered.push_back(place);
    return entered;
  }

private:
  StoredCoverage &coverage_;
  TestId test_;
  std::map<CoverageClassId, bool> has_;
};

class Nearest {
public:
  Nearest(const Changes &changes, const Names &names) : changes_(changes), names_(names) {}

  void look(const Function &function) {
    const SourceRange &where = function.where;
    if (!where.begin.isKnown())
      return;
    auto changes = changes_.find(names_.text(where.begin.file).str());
    if (changes == changes_.end())
      return;
    for (const ReportedReason *change : changes->second) {
      std::uint32_t distance = change->line < where.begin.line ? where.begin.line - change->line
                               : change->line > where.end.line ? change->line - where.end.line
                                                               : 0;
      NearestFunction candidate{names_.text(function.name).str(), changes->first, where.begin.line,
                                change->function, distance};
      if (!found_ ||
          std::pair(distance, candidate.line) < std::pair(found_->distance, found_->line))
        found_ = std::move(candidate);
    }
  }
  std::optional<NearestFunction> found() const { return found_; }

private:
  const Changes &changes_;
  const Names &names_;
  std::optional<NearestFunction> found_;
};

} // namespace

llvm::Expected<std::optional<NearestFunction>>
findNearest(const ProjectPaths &paths, const SelectionReport &report, const ReportedTest &test) {
  Changes changes = changesOf(report);
  if (changes.empty())
    return std::nullopt;
  llvm::Expected<Store> store = openStore(paths);
  if (!store)
    return store.takeError();
  llvm::Expected<BaselineIndex> index = store->loadIndex(report.baseline.name);
  if (!index)
    return index.takeError();
  if (index->info.recordedAt != report.baseline.recordedAt)
    return error("baseline {} is another one now", report.baseline.name);
  llvm::Expected<std::optional<StoredCoverage>> coverage = store->coverage(index->id);
  if (!coverage)
    return coverage.takeError();
  if (!*coverage)
    return error("baseline {} has no tests", report.baseline.name);
  auto tests = (*coverage)->tests(TestParts::WithoutFiles);
  if (!tests)
    return tests.takeError();
  auto recorded = llvm::find_if(
      *tests, [&](const RecordedTest &each) { return idOf(each) == idOf(test.test); });
  if (recorded == tests->end())
    return error("baseline {} does not have this test", report.baseline.name);
  EnteredFunctions entered(**coverage, {static_cast<std::uint32_t>(recorded - tests->begin())});

  Names names;
  Nearest nearest(changes, names);
  for (const StoredUnit *unit : unitsReading(changes, *index)) {
    auto rows = (*coverage)->units(unit->name);
    if (!rows)
      return rows.takeError();
    std::vector<std::uint32_t> places;
    for (const UnitCoverage &row : *rows) {
      auto found = entered.of(row);
      if (!found)
        return found.takeError();
      places.insert(places.end(), found->begin(), found->end());
    }
    if (places.empty())
      continue;
    llvm::Expected<UnitGraph> graph = store->loadGraph(unit->id, names);
    if (!graph)
      return graph.takeError();
    for (std::uint32_t place : places)
      if (place < graph->functions.size())
        nearest.look(graph->functions[place]);
  }
  return nearest.found();
}

} // namespace retest
