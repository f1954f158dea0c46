#include "cov/coverage_collector.h"

#include "cov/matrix_builder.h"
#include "cov/omitted_calls.h"
#include "support/error.h"

#include <set>

namespace retest {

CoverageCollector::CoverageCollector(RecordedProgram program) : program_(std::move(program)) {
  for (std::uint32_t unit = 0; unit < program_.objects.size(); ++unit)
    if (!program_.objects[unit].empty())
      unitsByObject_[objectStem(program_.objects[unit])] = {unit};
}

std::string CoverageCollector::nameOf(llvm::StringRef path) {
  auto [entry, isNew] = fileNames_.try_emplace(path);
  if (isNew)
    entry->second = program_.nameOf(path);
  return entry->second;
}

/// The units that may be linked into a module.
std::vector<UnitId> CoverageCollector::unitsOf(llvm::StringRef image) const {
  std::vector<UnitId> units;
  for (const ProgramGraph &program : program_.project->programs)
    for (const ProgramUnit &entry : program.units)
      if (program_.names->text(program.images[entry.image]) == image)
        units.push_back(entry.unit);
  llvm::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

llvm::Error CoverageCollector::addModule(const std::string &path, llvm::StringRef image) {
  auto loaded =
      loadProbes(path, {*program_.project, *program_.names, unitsOf(image), unitsByObject_},
                 [this](llvm::StringRef file) { return nameOf(file); });
  if (!loaded)
    return loaded.takeError();
  modules_[path] = std::move(*loaded);
  images_.insert(image);
  return llvm::Error::success();
}

void CoverageCollector::addUnbuilt(llvm::StringRef image) { unbuilt_.insert(image); }

llvm::Expected<CrossedFunctions>
CoverageCollector::crossedBy(llvm::ArrayRef<ModuleCounters> processes) {
  CrossedFunctions crossed;
  for (const ModuleCounters &process : processes) {
    auto module = modules_.find(process.module);
    if (module == modules_.end())
      return error("{}: has counters, but is not a binary of the build", process.module);
    if (llvm::Error failed = module->second->add(
            process, [this](llvm::StringRef file) { return nameOf(file); }, crossed))
      return failed;
  }
  return crossed;
}

llvm::Error CoverageCollector::addBeforeMain(llvm::StringRef binary,
                                             llvm::ArrayRef<ModuleCounters> processes) {
  llvm::Expected<CrossedFunctions> crossed = crossedBy(processes);
  if (!crossed)
    return crossed.takeError();
  for (auto &[function, edges] : *crossed) {
    llvm::BitVector &known = beforeMain_[binary][function];
    known.resize(edges.size());
    known |= edges;
  }
  return llvm::Error::success();
}

std::uint32_t CoverageCollector::patternOf(std::uint32_t function, const llvm::BitVector &edges) {
  Patterns &patterns = patterns_[function];
  auto known = llvm::find(patterns, edges);
  if (known == patterns.end())
    known = patterns.insert(patterns.end(), edges);
  return static_cast<std::uint32_t>(known - patterns.begin());
}

llvm::Error CoverageCollector::addTest(TestId test, llvm::ArrayRef<ModuleCounters> processes,
                                       llvm::StringRef server) {
  measured_.erase(test.value);
  llvm::Expected<CrossedFunctions> crossed = crossedBy(processes);
  if (!crossed)
    return crossed.takeError();
  MeasuredTest &measured = measured_[test.value];
  measured.server = server.str();
  measured.crossed.reserve(crossed->size());
  for (const auto &[function, edges] : *crossed)
    measured.crossed.push_back({function, patternOf(function, edges)});
  llvm::sort(measured.crossed);
  return llvm::Error::success();
}

void CoverageCollector::addTo(EdgesOf &all, const MeasuredTest &measured) const {
  for (const Crossed &crossed : measured.crossed) {
    const llvm::BitVector &edges = patterns_.find(crossed.function)->second[crossed.pattern];
    all[crossed.function].resize(edges.size());
    all[crossed.function] |= edges;
  }
}

/// With what its server did before main, if it had one.
CoverageCollector::EdgesOf CoverageCollector::wholeOf(const MeasuredTest &measured) const {
  EdgesOf all;
  addTo(all, measured);
  if (auto before = beforeMain_.find(measured.server); before != beforeMain_.end())
    for (const auto &[function, edges] : before->second) {
      all[function].resize(edges.size());
      all[function] |= edges;
    }
  return all;
}

void CoverageCollector::beginRound() {
  for (auto &[test, measured] : measured_) {
    auto [known, isFirst] = earlier_.try_emplace(test, measured);
    // It may have been started in one round and forked in another.
    bool isSame = known->second.server == measured.server
                      ? known->second.crossed == measured.crossed
                      : wholeOf(known->second) == wholeOf(measured);
    if (!isSame)
      unstable_.push_back({test});
    if (known->second.server.empty())
      known->second.server = measured.server;
    if (isFirst || known->second.crossed == measured.crossed)
      continue;
    EdgesOf both;
    addTo(both, known->second);
    addTo(both, measured);
    known->second.crossed.clear();
    for (const auto &[function, edges] : both)
      known->second.crossed.push_back({function, patternOf(function, edges)});
  }
  measured_.clear();
}

CoverageMatrix CoverageCollector::finish(std::vector<RecordedTest> tests) {
  beginRound();
  llvm::sort(unstable_);
  unstable_.erase(std::unique(unstable_.begin(), unstable_.end()), unstable_.end());
  using Tests = std::vector<std::uint32_t>;
  llvm::StringMap<Tests> served;
  llvm::DenseMap<std::uint32_t, std::vector<Tests>> testsOf; // by function, by pattern
  auto testsWith = [&](std::uint32_t function, std::uint32_t pattern) -> Tests & {
    std::vector<Tests> &all = testsOf[function];
    all.resize(patterns_[function].size());
    return all[pattern];
  };
  for (const auto &[test, measured] : earlier_) {
    for (const Crossed &crossed : measured.crossed)
      testsWith(crossed.function, crossed.pattern).push_back(test);
    if (!measured.server.empty())
      served[measured.server].push_back(test);
  }
  for (const auto &before : beforeMain_)
    for (const auto &[function, edges] : before.second) {
      std::uint32_t pattern = patternOf(function, edges);
      llvm::append_range(testsWith(function, pattern), served[before.first()]);
    }
  MatrixBuilder builder(*program_.project, *program_.names, std::move(tests));
  addProbes(builder);
  for (const auto &[function, byPattern] : testsOf)
    for (std::size_t i = 0; i < byPattern.size(); ++i)
      builder.addCrossed({function}, patterns_[function][i], byPattern[i]);
  for (const CarriedCoverage::Row &row : carried_.rows) {
    Tests rowTests;
    for (TestId test : row.tests)
      rowTests.push_back(test.value);
    builder.addCrossed(row.function, row.edges, rowTests);
  }
  return builder.finish();
}

/// Says which functions have counters. Of those that are in a module that is built, its file tells.
void CoverageCollector::addProbes(MatrixBuilder &builder) const {
  std::vector<FunctionId> probed, unreliable, unemitted;
  for (const auto &module : modules_) {
    module.second->addProbed(probed);
    module.second->addUnreliable(unreliable);
    module.second->addUnemitted(unemitted);
  }
  // What had no counters for some tests is known by its callers, for all of them.
  for (FunctionId function : probed)
    if (!llvm::binary_search(carried_.uncounted, function))
      builder.addProbed(function);
  for (FunctionId function : unreliable)
    builder.addUnreliable(function);
  for (FunctionId function : unemitted)
    builder.addUnemitted(function);
  llvm::BitVector isRecorded(program_.project->functions.size());
  for (const std::vector<FunctionId> &functions : {probed, unemitted})
    for (FunctionId function : functions)
      isRecorded.set(function.value);
  if (program_.isOptimised)
    for (FunctionId function : functionsThatOptimisersReplace(*program_.project))
      builder.addUnreliable(function);
  addUncountedUnits(isRecorded, builder);
  addUnbuiltProbes(builder);
}

/// Units without counters, by their flags, or because their module has records of none of their
/// functions: flags may be lost on the way to the compiler.
void CoverageCollector::addUncountedUnits(const llvm::BitVector &isRecorded,
                                          MatrixBuilder &builder) const {
  const Project &project = *program_.project;
  std::set<UnitId> uncounted;
  for (std::uint32_t unit = 0; unit < program_.isCounted.size(); ++unit)
    if (!program_.isCounted[unit])
      uncounted.insert({unit});
  for (const auto &image : images_) {
    if (unbuilt_.contains(image.first()))
      continue;
    for (UnitId unit : unitsOf(image.first())) {
      auto isOwn = [&](FunctionId id) {
        return project.functionUnits[id.value] == unit && hasProbe(project[id]) &&
               project[id].linkage == Linkage::Strong &&
               project[id].kind != FunctionKind::Initialiser;
      };
      auto hasRecord = [&](FunctionId id) { return isRecorded.test(id.value); };
      llvm::ArrayRef<FunctionId> functions = project[unit].functions;
      if (llvm::any_of(functions, isOwn) &&
          llvm::none_of(functions, [&](FunctionId id) { return isOwn(id) && hasRecord(id); }))
        uncounted.insert(unit);
    }
  }
  for (UnitId unit : uncounted)
    builder.addUncounted(unit);
}

/// Of functions that are only in modules that are not built, the earlier version tells.
void CoverageCollector::addUnbuiltProbes(MatrixBuilder &builder) const {
  if (carried_.counted.empty())
    return;
  llvm::BitVector isBuilt(program_.project->functions.size()), isUnbuilt = isBuilt;
  llvm::StringSet<> seen;
  for (const ProgramGraph &program : program_.project->programs)
    for (NameId image : program.images)
      if (llvm::StringRef name = program_.names->text(image);
          program.kind != ProgramKind::Archive && seen.insert(name).second)
        for (UnitId unit : unitsOf(name))
          for (FunctionId function : (*program_.project)[unit].functions)
            (unbuilt_.contains(name) ? isUnbuilt : isBuilt).set(function.value);
  auto isOnlyUnbuilt = [&](FunctionId function) {
    return isUnbuilt.test(function.value) && !isBuilt.test(function.value);
  };
  for (FunctionId function : carried_.counted)
    if (isOnlyUnbuilt(function))
      builder.addProbed(function);
  for (FunctionId function : carried_.idle)
    if (isOnlyUnbuilt(function))
      builder.addUnemitted(function);
}

CoverageCollector::Statistics CoverageCollector::statistics() {
  Statistics sum;
  for (const auto &module : modules_) {
    module.second->addWitnesses(sum, [this](llvm::StringRef file) { return nameOf(file); });
    sum.inconsistencies += module.second->inconsistencies();
  }
  return sum;
}

} // namespace retest
