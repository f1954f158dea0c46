#include "cli/record_suite.h"

#include "build/paths.h"
#include "cli/build_files.h"
#include "cli/configuration.h"
#include "cli/signals.h"
#include "cli/suite_entries.h"
#include "run/file_monitor.h"
#include "run/preload/protocol.h"
#include "run/suite_directory.h"
#include "support/error.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include <numeric>

namespace retest {

namespace {

/// Whether its tests can be measured: GCC counts optimised code otherwise than it is written.
bool isCountedByGcc(const Unit &unit) {
  bool counts = false, isRegistered = false, isOptimised = false, isMerged = false;
  for (llvm::StringRef argument : unit.command.arguments) {
    counts |= argument == "--coverage" || argument == "-coverage";
    counts &= argument != "-fno-profile-arcs" && argument != "-fno-test-coverage";
    isRegistered |= argument == std::string("-fprofile-info-section=") + preload::kGccTables;
    if (argument.starts_with("-O"))
      isOptimised = argument != "-O0";
    isMerged |= argument.starts_with("-flto");
    isMerged &= argument != "-fno-lto";
  }
  return counts && isRegistered && !isOptimised && !isMerged;
}

bool isCountedByClang(const Unit &unit) {
  bool counts = false, maps = false;
  for (llvm::StringRef argument : unit.command.arguments) {
    counts |= argument.starts_with("-fprofile-instr-generate");
    maps |= argument == "-fcoverage-mapping";
    counts &= argument != "-fno-profile-instr-generate";
    maps &= argument != "-fno-coverage-mapping";
  }
  return counts && maps;
}

bool isCounted(const Unit &unit) { return isCountedByGcc(unit) || isCountedByClang(unit); }

/// Then a process that is killed may take counts with it, which were in registers.
bool mayLoseCounts(const Unit &unit) {
  bool isOptimised = false;
  for (llvm::StringRef argument : unit.command.arguments)
    if (argument.starts_with("-O"))
      isOptimised = argument != "-O0";
  return isOptimised && isCountedByClang(unit);
}

/// By UnitId: both lists are sorted by name, but units that are not linked are in neither program.
std::vector<bool> countedUnits(const Tree &tree, const Project &project, const Names &names) {
  llvm::StringSet<> counted;
  for (const Unit &unit : tree.database.units)
    if (isCounted(unit))
      counted.insert(unit.name);
  std::vector<bool> result;
  for (const ProjectUnit &unit : project.units)
    result.push_back(counted.contains(names.text(unit.name)));
  return result;
}

/// By UnitId.
std::vector<std::string> objectsOf(const Tree &tree, const Project &project, const Names &names) {
  llvm::StringMap<std::string> objects;
  for (const Unit &unit : tree.database.units)
    objects[unit.name] = unit.command.object;
  std::vector<std::string> result;
  for (const ProjectUnit &unit : project.units)
    result.push_back(objects.lookup(names.text(unit.name)));
  return result;
}

template <class T> void unite(std::vector<T> &all, const std::vector<T> &more) {
  all.insert(all.end(), more.begin(), more.end());
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// Adds what a test did in the rounds before. It is unmeasured if one of them was: what it reached
/// then is not known. An outcome that was worse stays.
void addRounds(RecordedTest &test, const RecordedTest &before) {
  if (!before.unmeasured.empty())
    test.unmeasured = before.unmeasured;
  if (test.status == TestStatus::Passed)
    test.status = before.status;
  unite(test.programs, before.programs);
  unite(test.files, before.files);
}

class SuiteRecorder {
public:
  SuiteRecorder(const Tree &tree, const Project &project, const Names &names,
                const RecordSuiteOptions &options, Context &context)
      : tree_(tree), project_(project), names_(names), options_(options), context_(context),
        collector_({&project, &names,
                    [&tree](llvm::StringRef path) {
                      return tree.paths.nameOf(absolutePath(tree.paths.build, path));
                    },
                    countedUnits(tree, project, names), objectsOf(tree, project, names)}) {}

  llvm::Expected<RecordedSuite> record() {
    hasGcc_ = llvm::any_of(tree_.database.units, isCountedByGcc);
    mayLoseCounts_ = llvm::any_of(tree_.database.units, mayLoseCounts);
    if (llvm::Error failed = loadModules())
      return failed;
    if (llvm::Error failed = findAll())
      return failed;
    if (llvm::Error failed = runAll())
      return failed;
    addOriginals(recorded_, readMadeFiles(tree_.paths.build), tree_.paths, files_);
    result_.witnesses = collector_.statistics();
    result_.matrix = collector_.finish(std::move(recorded_));
    for (TestId test : collector_.unstable())
      unstable_.push_back(test);
    unite(unstable_, {});
    for (TestId test : unstable_)
      result_.unstable.push_back(idOf(result_.matrix.tests[test.value]));
    return std::move(result_);
  }

private:
  llvm::Error loadModules();
  llvm::Error findAll();
  llvm::Error runAll();
  llvm::Error runRounds(const std::atomic<bool> &isCancelled);
  llvm::Error runRound(const SuiteOptions &suite);
  RecordedTest describe(const FoundTest &test) const;
  void finish(std::size_t test, const TestOutcome &outcome, const std::string &counters);
  void measure(TestId id, const FoundTest &test, const TestOutcome &outcome,
               const std::string &counters);
  void addFiles(RecordedTest &recorded, const FileObservations &observed);
  void beforeMain(const std::string &program, pid_t process, const std::string &counters);
  std::optional<WatchedPaths> watchedPaths(const std::string &ours);

  const Tree &tree_;
  const Project &project_;
  const Names &names_;
  const RecordSuiteOptions &options_;
  Context &context_;
  CoverageCollector collector_;
  bool hasGcc_ = false;        ///< some units are counted by GCC
  bool mayLoseCounts_ = false; ///< when processes are killed
  llvm::StringSet<> binaries_; ///< names of what the build links
  std::vector<SuiteEntry> entries_;
  std::vector<FoundTest> tests_;
  std::vector<TestId> ids_; ///< of tests_
  std::vector<RecordedTest> recorded_;
  std::vector<TestId> unstable_;                ///< whose outcomes were not the same
  llvm::StringMap<std::string> lostBeforeMain_; ///< programs, with what went wrong
  FileStates files_;
  RecordedSuite result_;
};

llvm::Error SuiteRecorder::loadModules() {
  std::size_t loaded = 0;
  for (const ProgramGraph &program : project_.programs) {
    binaries_.insert(names_.text(program.name));
    for (NameId image : program.images) {
      std::string name = names_.text(image).str();
      binaries_.insert(name);
      std::string path = realPath(tree_.paths.pathOf(name));
      if (collector_.hasModule(path))
        continue;
      if (llvm::Error failed = collector_.addModule(path, name))
        context_.detail(llvm::toString(std::move(failed)) + "; its code has no probes");
      else
        ++loaded;
    }
  }
  if (loaded == 0)
    return error("{}: no program in it has counters; `retest init` prepares a build directory that "
                 "can be recorded, --graph-only stores the graph alone",
                 tree_.paths.build);
  return llvm::Error::success();
}

RecordedTest SuiteRecorder::describe(const FoundTest &test) const {
  RecordedTest recorded;
  if (!test.program.empty())
    recorded.binary = tree_.paths.nameOf(realPath(test.program));
  recorded.name = test.name;
  recorded.framework = test.framework;
  recorded.suite = test.native.suite;
  if (!test.native.file.empty())
    recorded.file = tree_.paths.nameOf(absolutePath(tree_.paths.build, test.native.file));
  recorded.line = test.native.line;
  if (test.framework)
    recorded.native = {test.native.name, test.native.isDisabled, test.native.bringsOthers};
  recorded.entries = test.entries;
  recorded.settings = test.settings;
  recorded.unmeasured = "it did not run";
  if (test.isDisabled) {
    recorded.status = TestStatus::Disabled;
    recorded.unmeasured = "it is disabled";
  }
  return recorded;
}

llvm::Error SuiteRecorder::findAll() {
  std::vector<std::string> programs;
  for (const ProgramGraph &program : project_.programs)
    if (program.kind == ProgramKind::Executable)
      programs.push_back(tree_.paths.pathOf(names_.text(program.name)));
  llvm::Expected<std::vector<SuiteEntry>> entries = suiteEntries(tree_.paths, programs);
  if (!entries)
    return entries.takeError();
  entries_ = std::move(*entries);
  tests_ = findTests(entries_, directoriesOf(tree_.paths));
  if (tests_.empty())
    return error("{}: no tests found: CTest has none, and no program of the build uses GoogleTest, "
                 "Catch2, doctest or Boost.Test",
                 tree_.paths.build);
  for (const FoundTest &test : tests_) {
    recorded_.push_back(describe(test));
    if (!test.note.empty())
      context_.detail(test.name + ": runs as a whole: " + test.note);
  }
  // The matrix has them by the names of binaries, which do not know where the project lies.
  std::vector<std::size_t> order(tests_.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](std::size_t a, std::size_t b) {
    return std::tie(recorded_[a].binary, recorded_[a].name) <
           std::tie(recorded_[b].binary, recorded_[b].name);
  });
  std::vector<RecordedTest> sorted;
  ids_.resize(tests_.size());
  for (std::size_t index : order) {
    ids_[index] = {static_cast<std::uint32_t>(sorted.size())};
    sorted.push_back(std::move(recorded_[index]));
  }
  recorded_ = std::move(sorted);
  return llvm::Error::success();
}

std::optional<WatchedPaths> SuiteRecorder::watchedPaths(const std::string &ours) {
  if (llvm::Error cannot = canWatchFiles()) {
    result_.filesUnknown = llvm::toString(std::move(cannot));
    return std::nullopt;
  }
  std::vector<std::string> roots = declaredRoots(tree_.config, tree_.paths.root);
  roots.insert(roots.begin(), {tree_.paths.root, tree_.paths.build});
  return WatchedPaths{std::move(roots), {stateDirectory(tree_.paths), ours}};
}

llvm::Error SuiteRecorder::runAll() {
  DeferredSignals signals;
  auto begin = std::chrono::steady_clock::now();
  llvm::Error failed = runRounds(signals.hasCome());
  signals.endIfCome(); // nothing is left of the tests by now
  result_.wall = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return failed;
}

llvm::Error SuiteRecorder::runRounds(const std::atomic<bool> &isCancelled) {
  llvm::Expected<SuiteDirectory> directory =
      SuiteDirectory::make(suitePlaces(stateDirectory(tree_.paths), options_.jobs));
  if (!directory)
    return directory.takeError();
  context_.detail("counters and output of tests: " + directory->path());
  SuiteOptions suite;
  suite.jobs = options_.jobs;
  suite.directory = directory->path();
  suite.areEntriesSerial = !options_.splitsEntries;
  suite.isForking = options_.isForking;
  suite.watched = watchedPaths(directory->path());
  suite.isCancelled = &isCancelled;
  if (llvm::Error failed = runRound(suite))
    return failed;
  for (unsigned round = 1; round < options_.repeats && !isCancelled; ++round) {
    std::vector<RecordedTest> before = recorded_;
    if (llvm::Error failed = runRound(suite))
      return failed;
    for (std::uint32_t test = 0; test < recorded_.size(); ++test) {
      if (recorded_[test].status != before[test].status)
        unstable_.push_back({test});
      addRounds(recorded_[test], before[test]);
    }
  }
  return llvm::Error::success();
}

llvm::Error SuiteRecorder::runRound(const SuiteOptions &suite) {
  Progress progress = context_.progress("Testing", tests_.size());
  std::size_t done = 0;
  SuiteCallbacks callbacks;
  callbacks.onEnded = [&](TestOutcome &outcome) {
    if (outcome.end.files)
      addContents(*outcome.end.files, files_);
  };
  callbacks.onFinished = [&](std::size_t test, const TestOutcome &outcome,
                             const std::string &counters) { finish(test, outcome, counters); };
  callbacks.onBeforeMain = [&](const std::string &program, pid_t process,
                               const std::string &counters) {
    beforeMain(program, process, counters);
  };
  callbacks.onProgress = [&](const SuiteProgress &now) {
    for (; done < now.done; ++done)
      progress.advance(now.running.empty() ? "" : now.running.front());
  };
  collector_.beginRound();
  llvm::Expected<SuiteResult> ran = runSuite(entries_, tests_, suite, callbacks);
  if (!ran)
    return ran.takeError();
  progress.finish();
  result_.unforked = std::move(ran->unforked);
  result_.uncompared = std::move(ran->uncompared);
  return llvm::Error::success();
}

/// Its tests have what it did before `main` in common. What it counts then is read while it waits;
/// of others that it has started, what is read is all if they have ended.
void SuiteRecorder::beforeMain(const std::string &program, pid_t process,
                               const std::string &counters) {
  llvm::Expected<std::vector<ModuleCounters>> processes = takeCounterFiles(counters);
  llvm::Error failed =
      processes ? collector_.addBeforeMain(program, *processes) : processes.takeError();
  if (failed) {
    lostBeforeMain_[program] = llvm::toString(std::move(failed));
    return;
  }
  for (const ModuleCounters &each : *processes)
    if (!each.hasEnded && (mayLoseCounts_ || each.process != static_cast<std::uint64_t>(process)))
      lostBeforeMain_[program] = "a process before main was killed, or may be in a signal handler";
}

void SuiteRecorder::finish(std::size_t test, const TestOutcome &outcome,
                           const std::string &counters) {
  RecordedTest &recorded = recorded_[ids_[test].value];
  recorded.status = outcome.status;
  recorded.duration = outcome.end.wall;
  recorded.unmeasured = outcome.unmeasured;
  if (recorded.unmeasured.empty())
    measure(ids_[test], tests_[test], outcome, counters);
}

void SuiteRecorder::measure(TestId id, const FoundTest &test, const TestOutcome &outcome,
                            const std::string &counters) {
  RecordedTest &recorded = recorded_[id.value];
  std::string server = outcome.wasForked ? test.program : "";
  if (auto lost = lostBeforeMain_.find(server); !server.empty() && lost != lostBeforeMain_.end()) {
    recorded.unmeasured = lost->second;
    return;
  }
  llvm::Expected<std::vector<ModuleCounters>> processes = takeCounterFiles(counters);
  if (!processes) {
    recorded.unmeasured = llvm::toString(processes.takeError());
    return;
  }
  if (mayLoseCounts_ && llvm::any_of(*processes, [](const auto &each) { return !each.hasEnded; })) {
    recorded.unmeasured =
        "a process of it was killed, or left a function half-way by a signal, and "
        "optimised code may have kept counts in registers until then";
    return;
  }
  if (llvm::Error failed = collector_.addTest(id, *processes, server)) {
    recorded.unmeasured = llvm::toString(std::move(failed));
    return;
  }
  recorded.programs.clear();
  for (const ModuleCounters &process : *processes)
    recorded.programs.push_back(tree_.paths.nameOf(process.module));
  if (outcome.end.files)
    addFiles(recorded, *outcome.end.files);
  else
    recorded.unmeasured =
        "the programs and files that it uses are not known: " + result_.filesUnknown;
  if (!recorded.binary.empty() && !llvm::is_contained(recorded.programs, recorded.binary))
    recorded.unmeasured = "its program left no counters";
  llvm::sort(recorded.programs);
  recorded.programs.erase(std::unique(recorded.programs.begin(), recorded.programs.end()),
                          recorded.programs.end());
}

/// The files of a test; what the build links is not data, but code.
void SuiteRecorder::addFiles(RecordedTest &recorded, const FileObservations &observed) {
  if (!observed.unmeasured.empty()) {
    recorded.unmeasured = "its files are not known: " + observed.unmeasured;
    return;
  }
  for (const StartedProgram &program : observed.programs)
    if (std::string name = tree_.paths.nameOf(program.path);
        binaries_.contains(name) && !program.hasPreload)
      recorded.unmeasured = name + " ran without counting";
    else if (collector_.hasModule(program.path) && !llvm::is_contained(recorded.programs, name))
      recorded.unmeasured = name + " ran, but left no counters";
  // GCC's counters do not announce themselves, so what a killed process loaded may be lost.
  const std::vector<std::string> counted = recorded.programs;
  for (const FileUse &use : observed.files) {
    if (!hasGcc_ || use.kind != FileUseKind::Executed)
      continue;
    std::string path = realPath(use.path), name = tree_.paths.nameOf(path);
    if (binaries_.contains(name) && collector_.hasModule(path) &&
        !llvm::is_contained(counted, name))
      recorded.unmeasured = name + " was used, but left no counters";
  }
  recorded.files.clear();
  for (FileUse use : observed.files) {
    use.path = tree_.paths.nameOf(use.path);
    if (!binaries_.contains(use.path))
      recorded.files.push_back(std::move(use));
    else if (use.kind == FileUseKind::Executed)
      recorded.programs.push_back(use.path);
  }
  llvm::sort(recorded.files);
}

} // namespace

llvm::Expected<RecordedSuite> recordSuite(const Tree &tree, const Project &project,
                                          const Names &names, const RecordSuiteOptions &options,
                                          Context &context) {
  return SuiteRecorder(tree, project, names, options, context).record();
}

} // namespace retest
