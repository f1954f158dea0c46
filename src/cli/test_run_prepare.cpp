#include "cli/test_runner.h"

#include "build/made_files.h"
#include "build/paths.h"
#include "cli/build_project.h"
#include "cli/built_units.h"
#include "cli/configured_tests.h"
#include "graph/link_program.h"
#include "run/companions.h"
#include "run/file_monitor.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace retest {

namespace {

/// A build makes files that change the selection, which needs other targets. It comes to an end;
/// after so many rounds everything is built.
constexpr int kMostBuilds = 4;

} // namespace

llvm::Error TestRunner::select(bool readsAllUnits) {
  auto begin = RunClock::now();
  SelectionOptions options = options_.selection;
  options.readsAllUnits = readsAllUnits;
  options.takesLastFailed = !options_.shard; // each shard divides the same tests
  basis_ = {};                               // closes the store and the cache
  llvm::Expected<SelectionReport> selection = makeSelection(options, context_, &basis_);
  if (!selection)
    return selection.takeError();
  selection_ = std::move(*selection);
  known_.clear();
  for (const ReportedTest &test : selection_.tests)
    known_[keyOf(test.test)] = &test;
  report_.selecting += since(begin);
  if (options_.isShadow)
    keepDelta();
  if (options_.scope == RunScope::LastFailed) {
    if (auto kept = loadLastFailed(paths_))
      lastFailed_ = *kept;
    else
      for (const ReportedTest &test : selection_.tests)
        if (test.verdict != Verdict::New && isFailure(test.test.status))
          lastFailed_.insert(keyOf(test.test));
  }
  return llvm::Error::success();
}

void TestRunner::keepDelta() {
  report_.delta.clear();
  if (!basis_.isComplete || basis_.isUnchanged)
    return;
  DeltaView view{basis_.baseline, basis_.current, basis_.names, basis_.baselineLines,
                 basis_.currentLines};
  llvm::raw_string_ostream out(report_.delta);
  writeDeltaJson(out, view, basis_.delta, options_.selection.granularity, selection_.baseline,
                 {"work tree", "", ""});
}

/// Whether the run is about a test that was recorded, or is known to be new.
bool TestRunner::isWanted(const ReportedTest &test) const {
  switch (options_.scope) {
  case RunScope::All:
    return test.verdict != Verdict::Disabled;
  case RunScope::LastFailed:
    return lastFailed_.count(keyOf(test.test)) != 0 && test.verdict != Verdict::Disabled;
  case RunScope::Selected:
    break;
  }
  return isSelected(test);
}

std::set<std::string> TestRunner::entriesOf(const RecordedTest &test) const {
  std::set<std::string> names(test.entries.begin(), test.entries.end());
  if (test.binary.empty())
    names.insert(test.name); // a new one
  return names;
}

/// All tests that are to run, as far as that can be told before the programs are built.
std::set<TestKey> TestRunner::keysToRun() const {
  std::set<TestKey> keys;
  std::set<std::string> entries;
  for (const ReportedTest &test : selection_.tests)
    if (isWanted(test)) {
      keys.insert(keyOf(test.test));
      entries.merge(entriesOf(test.test));
    }
  std::set<std::string> companions = companionEntries(basis_.entries, entries);
  for (const ReportedTest &test : selection_.tests)
    if (llvm::any_of(entriesOf(test.test),
                     [&](const std::string &entry) { return companions.count(entry) != 0; }))
      keys.insert(keyOf(test.test));
  keys.merge(writersFor(keys));
  return keys;
}

/// Who reads what is not as it was needs those who make it.
std::set<TestKey> TestRunner::writersFor(const std::set<TestKey> &readers) const {
  std::set<TestKey> writers;
  auto keyAt = [&](TestId test) { return keyOf(basis_.tests[test.value]); };
  for (const SharedFile &file : basis_.sharedFiles) {
    bool hasChanged = llvm::any_of(basis_.files, [&](const FileChange &change) {
      return change.path == file.path || llvm::StringRef(change.path).starts_with(file.path + "/");
    });
    if (hasChanged &&
        llvm::any_of(file.readers, [&](TestId test) { return readers.count(keyAt(test)) != 0; }))
      for (TestId writer : file.writers)
        writers.insert(keyAt(writer));
  }
  return writers;
}

std::set<std::string> TestRunner::neededBinaries() const {
  std::set<std::string> linked, needed;
  for (const Binary &binary : basis_.tree->links.get().binaries)
    linked.insert(binary.name);
  auto need = [&](const std::string &binary) {
    if (linked.count(binary))
      needed.insert(binary);
  };
  std::set<std::string> entries;
  for (const TestKey &key : keysToRun()) {
    auto known = known_.find(key);
    if (known == known_.end())
      continue;
    const RecordedTest &test = known->second->test;
    need(test.binary);
    llvm::for_each(test.programs, need);
    entries.merge(entriesOf(test));
  }
  for (const SuiteEntry &entry : basis_.entries)
    if (entries.count(entry.name))
      for (const std::string &word : entry.command)
        need(basis_.paths.nameOf(word));
  // What they make known only they can list.
  for (const RegistrationChange &change : basis_.registered.changes)
    need(change.binary);
  llvm::for_each(extra_, need);
  return needed;
}

/// Whether there may be a test to run.
bool TestRunner::hasWork() const {
  return buildsAll_ || !extra_.empty() || !basis_.registered.changes.empty() ||
         llvm::any_of(selection_.tests, [&](const ReportedTest &test) { return isWanted(test); });
}

TargetPlan TestRunner::targets() {
  if (!basis_.isComplete || !selection_.reason.empty()) {
    buildsAll_ = true;
    return {true, "", {}, {}, {}};
  }
  if (buildsAll_)
    return {true, whyAll_, {}, {}, {}};
  TargetPlan plan = planTargets(basis_, neededBinaries());
  if (plan.isAll) {
    buildsAll_ = true;
    whyAll_ = plan.why;
  }
  return plan;
}

/// Brings what is needed up to date. False: it was already, so the selection stands.
llvm::Expected<bool> TestRunner::build() {
  TargetPlan plan = targets();
  if (options_.skipsBuild || (!plan.isAll && plan.names.empty()) ||
      (built_ &&
       (built_->isAll || (!plan.isAll && std::ranges::includes(built_->names, plan.names))))) {
    if (!built_)
      built_ = std::move(plan);
    return false;
  }
  auto begin = RunClock::now();
  if (plan.isAll)
    context_.info("building " + paths_.build);
  else
    context_.info(fmt::format("building {} of {}", fmt::join(plan.names, " "), paths_.build));
  if (plan.isAll && !plan.why.empty())
    context_.detail("everything is built: " + plan.why);
  const unsigned jobs = options_.selection.tree.jobs;
  if (llvm::Error failed = buildProject(paths_, jobs, context_, plan.names))
    return failed;
  if (plan.isAll && basis_.tree)
    if (llvm::Error failed = buildOthers(paths_, basis_.tree->links.get(), jobs, context_))
      return failed;
  report_.building += since(begin);
  built_ = std::move(plan);
  return true;
}

bool TestRunner::isUpToDate(const std::string &binary) const {
  return options_.skipsBuild || built_->isAll || built_->binaries.count(binary) != 0;
}

/// The project for the tests to be recorded against.
llvm::Error TestRunner::openProject() {
  suite_.reset(); // it is about the one before
  project_.reset();
  if (basis_.isComplete) {
    project_.emplace(CurrentProject{
        std::move(*basis_.tree), std::move(basis_.names), std::move(basis_.current), {}});
  } else {
    TreeOptions where = options_.selection.tree;
    where.build = paths_.build;
    llvm::Expected<Tree> tree = openTree(where, context_);
    if (!tree)
      return tree.takeError();
    if (built_->isAll && !options_.skipsBuild)
      if (llvm::Error failed = buildOthers(paths_, tree->links.get(), where.jobs, context_))
        return failed;
    if (llvm::Error failed = readTree(*tree, where, /*keepsGraphs=*/true, context_))
      return failed;
    Names names;
    llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, names);
    if (!graphs)
      return graphs.takeError();
    ProgramPlan plan = programPlan(*tree, names, context_);
    Project project = linkProject(std::move(*graphs), plan, names);
    project_.emplace(CurrentProject{std::move(*tree), std::move(names), std::move(project), {}});
  }
  project_->plan = programPlan(project_->tree, project_->names, context_);
  info_ = describeBaseline("", options_.selection.tree.lineSensitive, project_->tree, context_);
  const LinkPlan &links = project_->tree.links.get();
  if (options_.skipsBuild || !canBuild(paths_) || (built_->isAll && !canBuildOthers(paths_, links)))
    return checkBuilt(project_->tree, links);
  return llvm::Error::success();
}

/// What the baseline knows of the files that tests use, and what this run has seen so far.
llvm::Expected<FilesInUse> TestRunner::filesInUse() {
  FilesInUse files;
  files.reports = usedReports_;
  if (!basis_.coverage)
    return files;
  llvm::Expected<std::vector<StoredFileUse>> uses = basis_.coverage->files();
  if (!uses)
    return uses.takeError();
  for (const StoredFileUse &each : *uses) {
    FilesInUse::Use use{each.use.kind, paths_.pathOf(each.use.path)};
    if (use.kind == FileUseKind::Written) {
      llvm::Expected<std::vector<TestId>> users = basis_.coverage->users(each.users);
      if (!users)
        return users.takeError();
      for (TestId test : *users)
        llvm::append_range(use.entries, basis_.tests[test.value].entries);
    }
    files.uses.push_back(std::move(use));
  }
  for (const RecordedTest &test : basis_.tests)
    if (test.binary.empty())
      files.whole.insert(test.name);
  return files;
}

/// Asks the built programs for their tests. False: more has to be built first.
llvm::Expected<bool> TestRunner::list() {
  RecordSuiteOptions options;
  options.jobs = std::max(options_.selection.tree.jobs, 1u);
  options.splitsEntries = options_.parallelCases;
  options.isForking = !options_.skipsForking;
  options.timeout = options_.timeout;
  suite_ = std::make_unique<SuiteRecorder>(project_->tree, project_->project, project_->names,
                                           options, context_);
  for (const LinkedBinary &binary : project_->plan.binaries)
    if (std::string name = project_->names.text(binary.name).str(); !isUpToDate(name))
      suite_->stale.insert(name);
  suite_->areFilesStale =
      !options_.skipsBuild && !built_->isAll && readMadeFiles(paths_.build).mayHaveCommands();
  for (const std::string &file : built_->data)
    suite_->builtFiles.insert(paths_.nameOf(absolutePath(paths_.build, file)));
  suite_->known = basis_.tests;
  llvm::Expected<FilesInUse> files = filesInUse();
  if (!files)
    return files.takeError();
  suite_->filesInUse = std::move(*files);
  if (llvm::Error failed = suite_->prepare())
    return failed;
  quarantined_.clear();
  for (TestId test : quarantinedTests(project_->tree.config, today(), suite_->recorded()))
    quarantined_.insert(keyOf(suite_->recorded()[test.value]));
  choose();
  return !needsMore();
}

/// Everything that is not proven to be unaffected.
void TestRunner::choose() {
  chosen_.clear();
  left_.clear();
  for (std::size_t i = 0; i < suite_->tests().size(); ++i) {
    if (suite_->tests()[i].isDisabled)
      continue;
    auto known = known_.find(keyOf(suite_->recorded(i)));
    bool isNew = known == known_.end() || known->second->verdict == Verdict::Disabled;
    bool isChosen = isNew ? options_.scope != RunScope::LastFailed ||
                                lastFailed_.count(keyOf(suite_->recorded(i))) != 0
                          : isWanted(*known->second);
    if (isChosen)
      chosen_.push_back(i);
    else if (isNew || known->second->verdict != Verdict::Skipped)
      left_[i] = "did not fail last time";
  }
}

/// Adds what tests need others for. Sorted.
void TestRunner::addCompanions(std::vector<std::size_t> &tests) const {
  std::set<std::string> entries;
  std::set<TestKey> keys;
  for (std::size_t test : tests) {
    entries.insert(suite_->tests()[test].entries.begin(), suite_->tests()[test].entries.end());
    keys.insert(keyOf(suite_->recorded(test)));
  }
  const std::set<TestKey> writers = writersFor(keys);
  const std::set<std::string> companions = companionEntries(suite_->entries(), entries);
  std::set<std::size_t> all(tests.begin(), tests.end());
  for (std::size_t i = 0; i < suite_->tests().size(); ++i) {
    auto isCompanion = [&](const std::string &entry) { return companions.count(entry) != 0; };
    if (!suite_->tests()[i].isDisabled && (llvm::any_of(suite_->tests()[i].entries, isCompanion) ||
                                           writers.count(keyOf(suite_->recorded(i))) != 0))
      all.insert(i);
  }
  tests.assign(all.begin(), all.end());
}

/// Whether tests that are to run need binaries that were not built.
bool TestRunner::needsMore() {
  if (built_->isAll || options_.skipsBuild)
    return false;
  std::size_t before = extra_.size();
  std::vector<std::size_t> tests = chosen_;
  addCompanions(tests);
  for (std::size_t test : tests)
    for (const std::string &word : suite_->tests()[test].arguments)
      if (std::string name = paths_.nameOf(word); suite_->stale.contains(name))
        extra_.insert(name);
  return extra_.size() != before;
}

llvm::Error TestRunner::prepare() {
  if (llvm::Error cannot = canWatchFiles()) {
    buildsAll_ = true; // it cannot be seen what tests use
    whyAll_ = llvm::toString(std::move(cannot));
  }
  for (int count = 0;; ++count) {
    if (count == kMostBuilds) {
      buildsAll_ = true;
      whyAll_ = "what is needed changes with each build";
    }
    bool hasBuilt = built_.has_value() || options_.skipsBuild;
    if (llvm::Error failed = select(/*readsAllUnits=*/hasBuilt))
      return failed;
    llvm::Expected<bool> isNew = build();
    if (!isNew)
      return isNew.takeError();
    if (*isNew)
      continue; // what it made may matter
    // A version without anything to run becomes the baseline as well, unless it is the same.
    if (!hasWork() && (basis_.isUnchanged || options_.scope == RunScope::LastFailed))
      return llvm::Error::success();
    if (!hasBuilt) // there was nothing to build
      if (llvm::Error failed = select(/*readsAllUnits=*/true))
        return failed;
    if (llvm::Error failed = openProject())
      return failed;
    binaries_ = BuiltBinaries(project_->tree, project_->plan, project_->names);
    llvm::Expected<bool> isReady = list();
    if (!isReady)
      return isReady.takeError();
    if (*isReady)
      return llvm::Error::success();
  }
}

} // namespace retest
