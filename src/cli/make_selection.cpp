#include "cli/make_selection.h"

#include "build/ninja_dry_run.h"
#include "build/test_discovery.h"
#include "cli/baselines.h"
#include "cli/build_description.h"
#include "cli/build_files.h"
#include "cli/changed_files.h"
#include "cli/configuration.h"
#include "cli/configured_tests.h"
#include "cli/environment.h"
#include "cli/last_failed.h"
#include "cli/last_selection.h"
#include "cli/shared_fixtures.h"
#include "cli/source_lines.h"
#include "cli/suite_entries.h"
#include "diff/compare.h"
#include "graph/extract_project.h"
#include "graph/link_program.h"
#include "run/observed_files.h"
#include "run/unbuilt_commands.h"
#include "select/shared_files.h"
#include "support/error.h"
#include "support/git.h"

#include <chrono>
#include <future>
#include <set>

namespace retest {

namespace {

/// Why a baseline cannot be compared with what this program makes of the tree.
llvm::Error checkExtraction(const BaselineInfo &info, bool lineSensitive) {
  if (info.environment == describeExtraction(lineSensitive))
    return llvm::Error::success();
  return error(ErrorKind::Store, "baseline {} was recorded with {}, this is {}; record it again",
               info.name, info.environment, describeExtraction(lineSensitive));
}

/// What the units of a baseline read.
RecordedFiles filesOf(const BaselineIndex &index) {
  RecordedFiles files{index.info.commit, {}};
  for (const StoredUnit &unit : index.units)
    for (FileVersionId input : unit.files.inputs) {
      if (input.value >= index.files.versions.size())
        continue;
      const FileVersion &version = index.files.versions[input.value];
      if (version.path.isValid())
        files.contents[index.files.paths[version.path.value]] = version.content;
    }
  return files;
}

/// The files that its units read, where they lie now.
std::vector<std::string> inputsOf(const BaselineIndex &index, const ProjectPaths &paths) {
  std::vector<std::string> inputs;
  for (const auto &file : filesOf(index).contents)
    inputs.push_back(paths.pathOf(file.first));
  return inputs;
}

/// Both versions of the project; empty ones if they are known to be the same.
struct Versions {
  Project baseline, current;
  SourceLines baselineLines, currentLines;
};

/// The baseline, and its units for the other version to share.
struct LoadedBaseline {
  std::vector<SharedUnit> units; ///< by index in BaselineIndex::units
  Project project;
};

/// By index of the file.
using FileChanges = std::vector<std::optional<FileChangeKind>>;

/// With -v: what each step took.
class StepTimes {
public:
  explicit StepTimes(Context &context) : context_(context) {}

  void done(const char *step) {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> time = now - last_;
    context_.detail(fmt::format("{}: {:.1f} ms", step, time.count()));
    last_ = now;
  }

private:
  Context &context_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class SelectionMaker {
public:
  SelectionMaker(const SelectionOptions &options, Context &context, SelectionReport &report)
      : options_(options), context_(context), report_(report), times_(context) {}

  llvm::Error make() {
    llvm::Expected<ProjectPaths> paths = locateProject(options_.tree, context_);
    if (!paths)
      return paths.takeError();
    paths_ = std::move(*paths);
    if (llvm::Error failed = openBaseline())
      return failed;
    times_.done("baseline opened");
    llvm::Expected<MadeFiles> made =
        updateBuildDirectory(paths_, [this] { return inputsOf(*index_, paths_); });
    if (!made)
      return made.takeError();
    made_ = std::move(*made);
    times_.done("build directory brought up to date");
    auto entries = std::async(std::launch::async, [this] { return entriesNow(); });
    llvm::Error failed = compareTrees();
    if (!failed)
      failed = loadRows();
    if (!failed)
      failed = lookAtEnvironment(); // before the files: those that are built depend on it
    if (!failed)
      failed = lookAtFiles();
    if (tree_)
      tree_->cache.saveFileStates(tree_->states);
    times_.done("coverage and files looked at");
    // The other thread is waited for in any case.
    llvm::Expected<std::vector<SuiteEntry>> suite = entries.get();
    if (!suite)
      return llvm::joinErrors(std::move(failed), suite.takeError());
    if (failed)
      return failed;
    lookAtSettings(*suite);
    entries_ = std::move(*suite);
    decide();
    isComplete_ = true;
    times_.done("decided");
    return llvm::Error::success();
  }

  /// Nothing is left afterwards.
  SelectionBasis takeBasis() {
    SelectionBasis basis;
    basis.paths = std::move(paths_);
    basis.store = std::move(store_);
    basis.index = std::move(index_);
    basis.coverage = coverage_;
    basis.tests = std::move(tests_);
    basis.tree = std::move(tree_);
    basis.names = std::move(names_);
    basis.baseline = std::move(versions_.baseline);
    basis.current = std::move(versions_.current);
    basis.baselineLines = std::move(versions_.baselineLines);
    basis.currentLines = std::move(versions_.currentLines);
    basis.isUnchanged = isUnchanged_;
    basis.delta = std::move(delta_);
    basis.files = std::move(files_);
    basis.sharedFiles = std::move(sharedFiles_);
    basis.registered = std::move(registered_);
    basis.entries = std::move(entries_);
    basis.selection = std::move(selection_);
    basis.isComplete = isComplete_;
    return basis;
  }

  /// Empty if no project was found.
  const ProjectPaths &paths() const { return paths_; }

private:
  llvm::Error openBaseline();
  void addLastFailed();
  llvm::Error compareTrees();
  void findGiven(Tree &tree);
  llvm::Expected<bool> isUnchanged(Tree &tree);
  llvm::Expected<LoadedBaseline> loadBaseline();
  llvm::Error loadVersions(Tree &tree);
  llvm::Error loadRows();
  llvm::Error lookAtFiles();
  FileChanges changesOf(llvm::ArrayRef<StoredFileUse> uses);
  bool isAsRecorded() const;
  StepsToRun stepsOfNextBuild() const;
  llvm::Error lookAtEnvironment();
  llvm::Expected<std::vector<SuiteEntry>> entriesNow() const;
  llvm::StringSet<> undiscovered(const llvm::StringSet<> &entries) const;
  void lookAtSettings(const std::vector<SuiteEntry> &suite);
  void addNewEntries(const std::vector<SuiteEntry> &suite);
  void decide();

  const SelectionOptions &options_;
  Context &context_;
  SelectionReport &report_;
  StepTimes times_;
  ProjectPaths paths_;
  MadeFiles made_;
  std::optional<Store> store_;
  std::optional<BaselineIndex> index_;
  std::optional<StoredCoverage> coverage_;
  std::vector<RecordedTest> tests_;
  std::optional<Tree> tree_;
  Names names_;
  Versions versions_;
  Delta delta_;
  WitnessRows rows_;
  std::vector<FileChange> files_;
  std::vector<SharedFile> sharedFiles_;
  std::vector<TestId> resettled_;
  std::vector<EnvironmentPart> recordedEnvironment_;
  std::vector<EnvironmentChange> environment_;
  RegisteredTests registered_;
  std::vector<SuiteEntry> entries_;
  Selection selection_;
  bool areUnitsSame_ = false; ///< and what is linked
  bool isUnchanged_ = false;  ///< ... and none had to be read
  bool isComplete_ = false;
};

llvm::Error SelectionMaker::openBaseline() {
  llvm::Expected<Store> store = openStore(paths_);
  if (!store)
    return store.takeError();
  store_ = std::move(*store);
  llvm::Expected<ChosenBaseline> chosen = chooseBaseline(*store_, paths_, options_.base);
  if (!chosen)
    return chosen.takeError();
  if (!chosen->note.empty())
    context_.info(chosen->note);
  llvm::Expected<BaselineIndex> index = store_->loadIndex(chosen->name);
  if (!index)
    return index.takeError();
  index_ = std::move(*index);
  report_.baseline = {index_->info.name, index_->info.commit, index_->info.recordedAt};
  llvm::Expected<std::optional<StoredCoverage>> coverage = store_->coverage(index_->id);
  if (!coverage)
    return coverage.takeError();
  if (!*coverage)
    return error(ErrorKind::Store,
                 "baseline {} is of the graph alone; 'retest record' runs its tests",
                 index_->info.name);
  coverage_ = **coverage;
  llvm::Expected<std::vector<RecordedTest>> tests = coverage_->tests(TestParts::WithoutFiles);
  if (!tests)
    return tests.takeError();
  tests_ = std::move(*tests);
  if (options_.takesLastFailed)
    addLastFailed();
  report_.knowsTests = true;
  for (const RecordedTest &test : tests_)
    report_.tests.push_back({test, Verdict::Skipped, {}});
  return checkExtraction(index_->info, options_.tree.lineSensitive);
}

/// A run that leaves the baseline as it is may have had failures.
void SelectionMaker::addLastFailed() {
  std::optional<std::set<TestKey>> failed = loadLastFailed(paths_);
  if (!failed)
    return;
  for (RecordedTest &test : tests_)
    if (!isFailure(test.status) && test.status != TestStatus::Disabled &&
        failed->count(keyOf(test)) != 0)
      test.status = TestStatus::Failed;
}

/// The units that are what they were: their graphs are those of the baseline, wherever it was
/// recorded.
void SelectionMaker::findGiven(Tree &tree) {
  llvm::StringMap<const StoredUnit *> known;
  for (const StoredUnit &unit : index_->units)
    if (unit.isParsed())
      known.try_emplace(unit.name, &unit);
  Freshness freshness(index_->files, tree.states,
                      [&](llvm::StringRef name) { return paths_.pathOf(name); });
  for (const Unit &unit : tree.database.units) {
    const StoredUnit *then = known.lookup(unit.name);
    if (then && then->command == commandKey(unit, paths_, options_.tree.lineSensitive) &&
        freshness.isUpToDate(then->files))
      tree.given.insert(unit.name);
  }
}

/// Whether all units are given, and linked in the same way: then nothing has to be loaded.
llvm::Expected<bool> SelectionMaker::isUnchanged(Tree &tree) {
  if (tree.given.size() != index_->units.size() || tree.given.size() != tree.database.units.size())
    return false;
  llvm::Expected<ProgramPlan> plan = store_->loadPlan(index_->id, names_);
  if (!plan)
    return plan.takeError();
  return *plan == programPlan(tree, names_, context_);
}

llvm::Expected<LoadedBaseline> SelectionMaker::loadBaseline() {
  llvm::Expected<ProgramPlan> plan = store_->loadPlan(index_->id, names_);
  if (!plan)
    return plan.takeError();
  llvm::Expected<std::vector<SharedUnit>> units = store_->loadGraphs(*index_, names_);
  if (!units)
    return units.takeError();
  Project project = linkProject(*units, *plan, names_);
  return LoadedBaseline{std::move(*units), std::move(project)};
}

/// Reads what changed; meanwhile another thread loads the baseline, and has the store and the names
/// for itself.
llvm::Error SelectionMaker::loadVersions(Tree &tree) {
  auto loading = std::async(std::launch::async, [this] { return loadBaseline(); });
  llvm::Error failed = readTree(tree, options_.tree, /*keepsGraphs=*/true, context_);
  times_.done("changed units read");
  llvm::Expected<LoadedBaseline> before = loading.get();
  if (!before)
    return llvm::joinErrors(std::move(failed), before.takeError());
  if (failed)
    return failed;
  times_.done("baseline loaded");
  llvm::Expected<std::vector<UnitGraph>> others = loadGraphs(tree, names_);
  if (!others)
    return others.takeError();
  std::vector<SharedUnit> now;
  for (std::size_t i = 0; i < before->units.size(); ++i)
    if (tree.given.contains(index_->units[i].name))
      now.push_back(std::move(before->units[i]));
  for (UnitGraph &unit : *others)
    now.emplace_back(std::move(unit));
  versions_ = {std::move(before->project),
               linkProject(std::move(now), programPlan(tree, names_, context_), names_),
               sourceLinesOf(paths_, filesOf(*index_)), sourceLinesOf(paths_)};
  times_.done("current version linked");
  return llvm::Error::success();
}

llvm::Error SelectionMaker::compareTrees() {
  TreeOptions where = options_.tree; // what was found, so that it is not looked for again
  where.build = paths_.build;
  where.root = paths_.root;
  llvm::Expected<Tree> tree = openTree(where, context_);
  if (!tree)
    return tree.takeError();
  tree_ = std::move(*tree);
  findGiven(*tree_);
  llvm::Expected<bool> isSame = isUnchanged(*tree_);
  if (!isSame)
    return isSame.takeError();
  times_.done("tree looked at");
  areUnitsSame_ = *isSame;
  isUnchanged_ = *isSame && !options_.readsAllUnits;
  if (options_.readsAllUnits)
    tree_->given.clear();
  if (isUnchanged_) {
    context_.detail("no unit has changed");
    return llvm::Error::success();
  }
  if (llvm::Error failed = loadVersions(*tree_))
    return failed;
  delta_ = compare(versions_.baseline, versions_.current, names_);
  registered_ = registeredTests(delta_, versions_.baseline, versions_.current, names_, tests_);
  delta_ = coarsened(std::move(delta_), versions_.baseline, versions_.current, names_,
                     options_.granularity);
  times_.done("compared");
  return llvm::Error::success();
}

/// What the recording knows about the dangerous edges.
llvm::Error SelectionMaker::loadRows() {
  WantedRows wanted = wantedRows(delta_, versions_.baseline, names_);
  llvm::Expected<std::vector<UnitCoverage>> units =
      coverage_->units(unitsOf(wanted, versions_.baseline, names_));
  if (!units)
    return units.takeError();
  std::vector<std::string> types;
  for (NameId type : wanted.constructed)
    types.push_back(names_.text(type).str());
  llvm::Expected<std::vector<ClassCoverage>> constructed = coverage_->constructed(types);
  if (!constructed)
    return constructed.takeError();
  llvm::Expected<WitnessRows> rows =
      rowsFor(wanted, versions_.baseline, names_, *units, *constructed);
  if (!rows)
    return rows.takeError();
  rows_ = std::move(*rows);
  std::vector<CoverageClassId> ids = classesOf(rows_);
  llvm::Expected<std::vector<std::vector<TestId>>> classes = coverage_->classes(ids);
  if (!classes)
    return classes.takeError();
  for (std::size_t i = 0; i < ids.size(); ++i)
    rows_.classes.emplace(ids[i], std::move((*classes)[i]));
  return llvm::Error::success();
}

/// Whether the work tree is the commit that was recorded, with nothing else in it.
bool SelectionMaker::isAsRecorded() const {
  if (index_->info.commit.empty() || index_->info.name != index_->info.commit)
    return false; // it may have had changes then
  if (!areUnitsSame_ || !environment_.empty())
    return false; // the same files, built in another way
  llvm::Expected<std::optional<GitState>> git = gitState(paths_.root);
  if (!git) {
    llvm::consumeError(git.takeError());
    return false;
  }
  return *git && (*git)->commit == index_->info.commit && !(*git)->isDirty &&
         (*git)->untracked.empty();
}

/// What the next build runs of the project's own commands. Those that run in each build have
/// nothing new to do if nothing has changed since they did.
StepsToRun SelectionMaker::stepsOfNextBuild() const {
  StepsToRun steps = stepsToRun(made_, paths_.build);
  if (steps.any && !made_.ninja.empty() && isAsRecorded() &&
      whyOutdated(made_.ninja, paths_.build, {}).empty())
    return {false, false};
  return steps;
}

/// What changed of the files that tests used, or will when the project is built.
FileChanges SelectionMaker::changesOf(llvm::ArrayRef<StoredFileUse> uses) {
  FileChanges changes(uses.size());
  std::vector<std::string> made;
  for (auto [use, change] : llvm::zip_equal(uses, changes)) {
    std::string path = paths_.pathOf(use.use.path);
    if (!isAsUsed(use.use, path, tree_->states))
      change = FileChangeKind::Other;
    else if (use.use.kind != FileUseKind::Written && made_.contains(path))
      made.push_back(path);
  }
  llvm::sort(made);
  std::vector<std::string> outdated = outdatedFiles(made_, paths_, made);
  std::vector<FileOrigin> origins = originsOf(uses, made_, paths_);
  StepsToRun steps{false, false};
  if (llvm::any_of(origins, [](FileOrigin origin) { return origin != FileOrigin::Told; }))
    steps = stepsOfNextBuild();
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (changes[i] || uses[i].use.kind == FileUseKind::Written)
      continue;
    else if (std::binary_search(outdated.begin(), outdated.end(), paths_.pathOf(uses[i].use.path)))
      changes[i] = FileChangeKind::MadeAnew;
    else if ((steps.opaque && origins[i] == FileOrigin::Silent) ||
             (steps.any && origins[i] == FileOrigin::Unclear))
      changes[i] = FileChangeKind::NotKnown;
  return changes;
}

llvm::Error SelectionMaker::lookAtFiles() {
  llvm::Expected<std::vector<StoredFileUse>> uses = coverage_->files();
  if (!uses)
    return uses.takeError();
  bool anyWritten = llvm::any_of(
      *uses, [](const StoredFileUse &use) { return use.use.kind == FileUseKind::Written; });
  FileChanges changes = changesOf(*uses);
  std::vector<UsedFile> used;
  for (auto [use, change] : llvm::zip_equal(*uses, changes)) {
    if (!change && !anyWritten)
      continue;
    llvm::Expected<std::vector<TestId>> users = coverage_->users(use.users);
    if (!users)
      return users.takeError();
    if (change)
      files_.push_back({use.use.kind, use.use.path, *users, *change});
    used.push_back({use.use.kind, use.use.path, std::move(*users)});
  }
  if (anyWritten)
    sharedFiles_ = sharedFiles(used);
  return llvm::Error::success();
}

llvm::Error SelectionMaker::lookAtEnvironment() {
  llvm::Expected<std::vector<EnvironmentPart>> recorded = coverage_->environment();
  if (!recorded)
    return recorded.takeError();
  if (recorded->empty())
    return error(ErrorKind::Store,
                 "baseline {} does not tell its compilers and libraries; record it again",
                 index_->info.name);
  recordedEnvironment_ = std::move(*recorded);
  environment_ = changedEnvironment(recordedEnvironment_,
                                    environmentOf(*tree_, &recordedEnvironment_), tests_);
  return llvm::Error::success();
}

llvm::Expected<std::vector<SuiteEntry>> SelectionMaker::entriesNow() const {
  std::set<std::string> programs;
  for (const RecordedTest &test : tests_)
    if (!test.binary.empty())
      programs.insert(paths_.pathOf(test.binary));
  auto entries = suiteEntries(paths_, std::vector<std::string>(programs.begin(), programs.end()));
  if (entries)
    addUnbuiltCommands(*entries, paths_.build);
  return entries;
}

/// Programs whose tests CTest does not know before they are built: what finds them then is a part
/// of the environment, and says how they are run.
llvm::StringSet<> SelectionMaker::undiscovered(const llvm::StringSet<> &entries) const {
  llvm::StringSet<> programs;
  for (const TestDiscovery &discovery : testDiscoveries(paths_))
    if (entries.contains(discovery.target + "_NOT_BUILT") &&
        isDiscoveryRecorded(recordedEnvironment_, discovery.binary))
      programs.insert(discovery.binary);
  return programs;
}

/// Tests that are run in another way than they were; and which tests need what another sets up.
void SelectionMaker::lookAtSettings(const std::vector<SuiteEntry> &suite) {
  llvm::append_range(sharedFiles_, sharedFixtures(suite, tests_));
  SuiteSettings settings(suite, directoriesOf(paths_));
  llvm::StringSet<> names;
  for (const SuiteEntry &entry : suite)
    names.insert(entry.name);
  llvm::StringSet<> unbuilt = undiscovered(names);
  auto isThere = [&](const std::string &entry) { return names.contains(entry); };
  for (std::uint32_t i = 0; i < tests_.size(); ++i) {
    const RecordedTest &test = tests_[i];
    bool isUndiscovered = unbuilt.contains(test.binary) && llvm::none_of(test.entries, isThere);
    if (!isUndiscovered && settings.of(test.entries) != test.settings)
      resettled_.push_back({i});
  }
  addNewEntries(suite);
}

/// Entries that were not there. What the registrations of a program tell already is not told again.
void SelectionMaker::addNewEntries(const std::vector<SuiteEntry> &suite) {
  llvm::StringSet<> known;
  for (const RecordedTest &test : tests_)
    for (const std::string &entry : test.entries)
      known.insert(entry);
  for (const NewTest &test : registered_.added)
    known.insert(test.name);
  for (const SuiteEntry &entry : suite)
    if (!entry.isDisabled && !llvm::StringRef(entry.name).ends_with("_NOT_BUILT") &&
        known.insert(entry.name).second)
      registered_.added.push_back({"", entry.name, "", 0});
  llvm::sort(registered_.added);
}

void SelectionMaker::decide() {
  SelectInput input{delta_,       versions_.baseline, names_,       tests_,      rows_, files_,
                    sharedFiles_, resettled_,         environment_, registered_, {}};
  input.always = alwaysTests(tree_->config, tests_, context_);
  input.triggered = triggeredTests(
      tree_->config, tests_, [this] { return changedFiles(paths_, index_->info); }, context_);
  input.quarantined = quarantinedTests(tree_->config, today(), tests_);
  selection_ = selectTests(input);
  DeltaView view{versions_.baseline, versions_.current, names_, versions_.baselineLines,
                 versions_.currentLines};
  describeSelection(view, input, selection_, report_);
}

bool isOfKind(const llvm::Error &failed, ErrorKind kind) {
  bool isOne = false;
  llvm::visitErrors(failed, [&](const llvm::ErrorInfoBase &info) {
    if (info.isA<Failure>())
      isOne |= static_cast<const Failure &>(info).kind() == kind;
  });
  return isOne;
}

/// Whether the user has to do something before there can be an answer.
bool isMistake(const llvm::Error &failed, const SelectionOptions &options) {
  return isOfKind(failed, ErrorKind::Usage) ||
         (options.isStrict && isOfKind(failed, ErrorKind::Store));
}

} // namespace

llvm::Expected<SelectionReport> makeSelection(const SelectionOptions &options, Context &context,
                                              SelectionBasis *basis) {
  SelectionReport report;
  SelectionMaker maker(options, context, report);
  if (llvm::Error failed = maker.make()) {
    if (isMistake(failed, options))
      return failed;
    selectAll(report, llvm::toString(std::move(failed)));
  }
  finishReport(report);
  if (!maker.paths().root.empty()) {
    llvm::Expected<Config> config = loadConfig(maker.paths().root, context);
    if (!config)
      return config.takeError();
    addQuarantine(*config, today(), report, context);
  }
  if (!maker.paths().build.empty())
    if (llvm::Error failed = saveSelection(maker.paths(), report))
      context.warning(
          "the selection cannot be kept, so `retest explain` and `verify` know an older "
          "one, or none: " +
          llvm::toString(std::move(failed)));
  if (basis)
    *basis = maker.takeBasis();
  return report;
}

} // namespace retest
