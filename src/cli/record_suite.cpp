#include "cli/record_suite.h"

#include "build/paths.h"
#include "cli/build_files.h"
#include "cli/configuration.h"
#include "cli/counted_units.h"
#include "cli/run_targets.h"
#include "cli/signals.h"
#include "cli/suite_entries.h"
#include "run/entry_reports.h"
#include "run/file_monitor.h"
#include "run/suite_directory.h"
#include "support/error.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include <numeric>

namespace retest {

namespace {

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
  if (test.status == TestStatus::Passed || (isFailure(before.status) && !isFailure(test.status)))
    test.status = before.status;
  unite(test.programs, before.programs);
  unite(test.files, before.files);
}

} // namespace

SuiteRecorder::SuiteRecorder(const Tree &tree, const Project &project, const Names &names,
                             const RecordSuiteOptions &options, Context &context)
    : tree_(tree), project_(project), names_(names), options_(options), context_(context),
      collector_({&project, &names,
                  [&tree](llvm::StringRef path) {
                    return tree.paths.nameOf(absolutePath(tree.paths.build, path));
                  },
                  countedUnits(tree, project, names), objectsOf(tree, project, names),
                  llvm::any_of(tree.database.units, mayLoseCounts)}),
      built_(tree.paths) {}

llvm::Error SuiteRecorder::prepare() {
  hasGcc_ = llvm::any_of(tree_.database.units, isCountedByGcc);
  mayLoseCounts_ = llvm::any_of(tree_.database.units, mayLoseCounts);
  if (llvm::Error failed = loadModules())
    return failed;
  return findAll();
}

RecordedSuite SuiteRecorder::finish() {
  addOriginals(recorded_, readMadeFiles(tree_.paths.build), tree_.paths, files_);
  result_.witnesses = collector_.statistics();
  result_.matrix = collector_.finish(std::move(recorded_));
  for (TestId test : collector_.unstable())
    unstable_.push_back(test);
  unite(unstable_, {});
  for (TestId test : unstable_)
    result_.unstable.push_back(retest::idOf(result_.matrix.tests[test.value]));
  return std::move(result_);
}

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
      if (stale.contains(name)) { // what it has now is not what the sources say
        collector_.addUnbuilt(name);
        ++loaded;
        continue;
      }
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

RecordedTest SuiteRecorder::describe(const FoundTest &test) {
  RecordedTest recorded;
  if (!test.program.empty()) {
    std::string &name = programNames_[test.program]; // the same for many tests
    if (name.empty())
      name = tree_.paths.nameOf(realPath(test.program));
    recorded.binary = name;
  }
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
  dropStaleEntries();
  if (llvm::Error cannot = canWatchFiles())
    llvm::consumeError(std::move(cannot));
  else
    filesInUse.watched = watchedRoots();
  tests_ = findTests(entries_, directoriesOf(tree_.paths), filesInUse);
  for (const FoundTest &test : tests_)
    for (const std::string &report : test.reports)
      if (!test.program.empty())
        addReport(report);
  addKnown();
  if (tests_.empty() && recorded_.empty())
    return error("{}: no tests found: CTest has none, and no program of the build uses GoogleTest, "
                 "Catch2, doctest or Boost.Test",
                 tree_.paths.build);
  std::vector<RecordedTest> others = std::exchange(recorded_, {});
  for (const FoundTest &test : tests_) {
    recorded_.push_back(describe(test));
    if (!test.note.empty())
      context_.detail(test.name + ": runs as a whole: " + test.note);
  }
  // The matrix has them by the names of binaries, which do not know where the project lies.
  llvm::append_range(recorded_, std::move(others));
  std::vector<std::size_t> order(recorded_.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](std::size_t a, std::size_t b) {
    return std::tie(recorded_[a].binary, recorded_[a].name) <
           std::tie(recorded_[b].binary, recorded_[b].name);
  });
  std::vector<RecordedTest> sorted;
  ids_.resize(tests_.size());
  for (std::size_t index : order) {
    if (index < tests_.size())
      ids_[index] = {static_cast<std::uint32_t>(sorted.size())};
    sorted.push_back(std::move(recorded_[index]));
  }
  recorded_ = std::move(sorted);
  hasRun_.resize(recorded_.size());
  finished_.resize(recorded_.size());
  // Their settings are known by now: a time limit of ours is none of the project's.
  if (options_.timeout)
    for (SuiteEntry &entry : entries_)
      entry.timeout = std::min(entry.timeout.value_or(*options_.timeout), *options_.timeout);
  return llvm::Error::success();
}

/// Entries whose programs are stale, or not there: nobody is to run them.
void SuiteRecorder::dropStaleEntries() {
  if (stale.empty())
    return;
  llvm::erase_if(entries_, [&](const SuiteEntry &entry) {
    bool isStale = llvm::StringRef(entry.name).ends_with("_NOT_BUILT");
    if (!entry.command.empty())
      isStale |= stale.contains(tree_.paths.nameOf(realPath(entry.command.front())));
    else if (auto then = llvm::find_if(known,
                                       [&](const RecordedTest &test) {
                                         return llvm::is_contained(test.entries, entry.name);
                                       });
             then != known.end())
      isStale |= llvm::any_of(then->programs,
                              [&](const std::string &each) { return stale.contains(each); });
    if (isStale) {
      dropped_.insert(entry.name);
      keepReports(entry);
    }
    return isStale;
  });
}

/// Of an entry that nobody is to run now: who reads its report has to be noticed, too.
void SuiteRecorder::keepReports(SuiteEntry entry) {
  auto split = llvm::find_if(known, [&](const RecordedTest &test) {
    return test.framework && llvm::is_contained(test.entries, entry.name);
  });
  if (split != known.end() && !entry.command.empty()) {
    EntryReports reports = reportsOf(*split->framework, llvm::ArrayRef(entry.command).drop_front());
    for (const std::string &file : reports.files)
      addReport(reportPath(entry.directory, file));
    entry.command = std::move(reports.asking);
  }
  filesInUse.others.push_back(std::move(entry));
}

void SuiteRecorder::addReport(const std::string &report) {
  if (allReports_.insert(report).second)
    reports_.add(report);
}

/// What was recorded of programs that are stale now stands for what they would list.
void SuiteRecorder::addKnown() {
  for (const RecordedTest &test : known)
    if (test.binary.empty() ? dropped_.contains(test.name) : stale.contains(test.binary))
      recorded_.push_back(test);
}

std::vector<std::string> SuiteRecorder::watchedRoots() const {
  std::vector<std::string> roots = declaredRoots(tree_.config, tree_.paths.root);
  roots.insert(roots.begin(), {tree_.paths.root, tree_.paths.build});
  return roots;
}

std::optional<WatchedPaths> SuiteRecorder::watchedPaths(const std::string &ours) {
  if (llvm::Error cannot = canWatchFiles()) {
    result_.filesUnknown = llvm::toString(std::move(cannot));
    return std::nullopt;
  }
  return WatchedPaths{watchedRoots(), {stateDirectory(tree_.paths), ours}};
}

llvm::Error SuiteRecorder::runRound(const RoundPlan &plan) {
  auto begin = std::chrono::steady_clock::now();
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
  suite.isCancelled = plan.isCancelled;
  suite.isStopped = plan.isStopped;
  suite.lastBegin = plan.lastBegin;
  suite.ranks = plan.ranks;
  std::vector<RecordedTest> before = recorded_;
  finished_.reset();
  if (llvm::Error failed = runTests(plan, suite))
    return failed;
  for (unsigned id : finished_.set_bits()) {
    if (!hasRun_[id])
      continue;
    if (recorded_[id].status != before[id].status)
      unstable_.push_back({id});
    addRounds(recorded_[id], before[id]);
  }
  hasRun_ |= finished_;
  result_.wall += std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return llvm::Error::success();
}

llvm::Error SuiteRecorder::runTests(const RoundPlan &plan, const SuiteOptions &suite) {
  std::vector<FoundTest> chosen;
  for (std::size_t test : plan.tests)
    chosen.push_back(tests_[test]);
  Progress progress = context_.progress("Testing", chosen.size());
  std::size_t done = 0;
  SuiteCallbacks callbacks;
  callbacks.onEnded = [&](TestOutcome &outcome) {
    if (outcome.end.files) // what the build links is no data: it is large, and nobody asks for it
      addContents(*outcome.end.files, files_, [&](const std::string &path) {
        return binaries_.contains(tree_.paths.nameOf(path));
      });
  };
  callbacks.onFinished = [&](std::size_t test, const TestOutcome &outcome,
                             const std::string &counters) {
    finishTest(plan.tests[test], outcome, counters);
    if (!plan.onFinished)
      return;
    if (std::string line = plan.onFinished(plan.tests[test], outcome); !line.empty())
      progress.note(line);
  };
  callbacks.onBeforeMain = [&](const std::string &program, pid_t process,
                               const std::string &counters) {
    beforeMain(program, process, counters);
  };
  callbacks.onProgress = [&](const SuiteProgress &now) {
    for (; done < now.done; ++done)
      progress.advance(now.running.empty() ? "" : now.running.front());
  };
  collector_.beginRound();
  llvm::Expected<SuiteResult> ran = runSuite(entries_, chosen, suite, callbacks);
  if (!ran)
    return ran.takeError();
  progress.finish();
  forgetIsolation(chosen);
  unite(result_.unforked, ran->unforked);
  unite(result_.uncompared, ran->uncompared);
  return llvm::Error::success();
}

/// What was said of the programs of these tests in an earlier round.
void SuiteRecorder::forgetIsolation(llvm::ArrayRef<FoundTest> tests) {
  llvm::StringSet<> programs;
  for (const FoundTest &test : tests)
    programs.insert(test.program);
  llvm::erase_if(result_.unforked,
                 [&](const UnforkedProgram &each) { return programs.contains(each.program); });
  llvm::erase_if(result_.uncompared,
                 [&](const std::string &each) { return programs.contains(each); });
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

void SuiteRecorder::finishTest(std::size_t test, const TestOutcome &outcome,
                               const std::string &counters) {
  RecordedTest &recorded = recorded_[ids_[test].value];
  finished_.set(ids_[test].value);
  recorded.status = outcome.status;
  recorded.duration = outcome.end.wall;
  recorded.unmeasured = outcome.unmeasured;
  if (outcome.end.files)
    lookForStale(recorded, *outcome.end.files);
  lookForReports(tests_[test], outcome);
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

/// Whether a test used what was not brought up to date. It is told of one; all are in question.
void SuiteRecorder::lookForStale(const RecordedTest &test, const FileObservations &observed) {
  if (!usedStale_.empty() || (stale.empty() && !areFilesStale))
    return;
  auto tell = [&](const std::string &name) {
    if (usedStale_.empty())
      usedStale_ = fmt::format("{} uses {}", retest::idOf(test), name);
  };
  for (const StartedProgram &program : observed.programs)
    if (std::string name = tree_.paths.nameOf(program.path); stale.contains(name))
      tell(name);
  for (const FileUse &use : observed.files) {
    std::string name = tree_.paths.nameOf(use.path);
    if (stale.contains(name))
      tell(name);
    else if (areFilesStale && !binaries_.contains(name) && built_.mayContain(use.kind, name) &&
             !builtFiles.contains(name))
      tell(name);
  }
}

/// Whether a test used a report that is not what CTest would have made of it. If it is not known
/// what a test used, it may have been any of them.
void SuiteRecorder::lookForReports(const FoundTest &test, const TestOutcome &outcome) {
  if (reports_.empty() || outcome.status == TestStatus::NotRun)
    return;
  if (!outcome.end.files || !outcome.end.files->unmeasured.empty()) {
    usedReports_ = allReports_;
    return;
  }
  for (const FileUse &use : outcome.end.files->files)
    for (const std::string &report : reports_.usedBy(use.kind, use.path))
      if (use.kind != FileUseKind::Written || !llvm::is_contained(test.reports, report))
        usedReports_.insert(report);
}

/// A file that the build compiles or links and that the test looked into, but did not run or load;
/// empty: none. Whatever is in it then belongs to what the test sees.
std::string SuiteRecorder::readAsData(const RecordedTest &recorded,
                                      const FileObservations &observed) const {
  for (const FileUse &use : observed.files) {
    std::string path = realPath(use.path), name = tree_.paths.nameOf(path);
    bool isObject = llvm::StringRef(name).starts_with("<build>/") &&
                    llvm::StringRef(name).ends_with(".o") && use.kind == FileUseKind::Read;
    bool isArchive = binaries_.contains(name) && use.kind == FileUseKind::Read;
    bool isUnused = binaries_.contains(name) && use.kind == FileUseKind::Executed && !hasGcc_ &&
                    collector_.hasModule(path) && !llvm::is_contained(recorded.programs, name);
    if (isObject || isArchive || isUnused)
      return name;
  }
  return "";
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
  if (recorded.unmeasured.empty()) // else it may be that it ran
    if (std::string binary = readAsData(recorded, observed); !binary.empty())
      recorded.unmeasured = binary + " is built, and read as data";
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

llvm::Expected<RecordedSuite> recordSuite(const Tree &tree, const Project &project,
                                          const Names &names, const RecordSuiteOptions &options,
                                          Context &context) {
  FilesInUse known;
  for (;;) {
    SuiteRecorder suite(tree, project, names, options, context);
    suite.filesInUse = known;
    if (llvm::Error failed = suite.prepare())
      return failed;
    DeferredSignals signals;
    RoundPlan plan;
    plan.tests.resize(suite.tests().size());
    std::iota(plan.tests.begin(), plan.tests.end(), 0);
    plan.isCancelled = &signals.hasCome();
    for (unsigned round = 0; round < options.repeats && suite.usedReports().empty(); ++round) {
      llvm::Error failed = suite.runRound(plan);
      signals.endIfCome(); // nothing is left of the tests by now
      if (failed)
        return failed;
    }
    if (suite.usedReports().empty())
      return suite.finish();
    context.info(fmt::format("a test uses {}, which a program writes that ran test by test: the "
                             "tests run once more",
                             *suite.usedReports().begin()));
    std::size_t before = known.reports.size();
    known.reports.insert(suite.usedReports().begin(), suite.usedReports().end());
    if (known.reports.size() == before)
      return error("{}: it is not known which test writes it", *suite.usedReports().begin());
  }
}

} // namespace retest
