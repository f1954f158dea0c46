#include "cli/make_selection.h"

#include "cli/baselines.h"
#include "cli/both_versions.h"
#include "cli/build_description.h"
#include "cli/changed_files.h"
#include "cli/configuration.h"
#include "cli/configured_tests.h"
#include "cli/edited_files.h"
#include "cli/environment.h"
#include "cli/last_failed.h"
#include "cli/last_selection.h"
#include "cli/outdated_binaries.h"
#include "cli/shared_fixtures.h"
#include "cli/suite_changes.h"
#include "cli/used_files.h"
#include "diff/compare.h"
#include "graph/extract_project.h"
#include "support/error.h"

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
    auto entries = std::async(std::launch::async, [this] { return entriesNow(paths_, tests_); });
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
    entries_ = std::move(*suite);
    lookAtSuite();
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
  llvm::Error loadRows();
  llvm::Error lookAtEnvironment();
  llvm::Error lookAtFiles();
  void lookAtSuite();
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
  bool isUnchanged_ = false; ///< nor is what is linked, and no unit had to be read
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

llvm::Error SelectionMaker::compareTrees() {
  TreeOptions where = options_.tree; // what was found, so that it is not looked for again
  where.build = paths_.build;
  where.root = paths_.root;
  llvm::Expected<Tree> tree = openTree(where, context_);
  if (!tree)
    return tree.takeError();
  tree_ = std::move(*tree);
  findGiven(*tree_, *index_, options_.tree.lineSensitive);
  llvm::Expected<bool> isSame = isUnchanged(*tree_, *store_, *index_, names_, context_);
  if (!isSame)
    return isSame.takeError();
  times_.done("tree looked at");
  isUnchanged_ = *isSame && !options_.readsAllUnits;
  if (options_.readsAllUnits)
    tree_->given.clear();
  if (isUnchanged_) {
    context_.detail("no unit has changed");
    return llvm::Error::success();
  }
  llvm::Expected<Versions> versions =
      loadVersions(*tree_, options_.tree, *store_, *index_, names_, context_, times_);
  if (!versions)
    return versions.takeError();
  versions_ = std::move(*versions);
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

llvm::Error SelectionMaker::lookAtFiles() {
  llvm::Expected<UsedFileChanges> files =
      usedFileChanges(*coverage_, made_, paths_, tree_->states, tree_->config);
  if (!files)
    return files.takeError();
  files_ = std::move(files->changed);
  sharedFiles_ = std::move(files->shared);
  llvm::append_range(files_, outdatedBinaries(tree_->links.get(), made_, paths_, tests_));
  return llvm::Error::success();
}

/// How tests are run, and what they set up for others.
void SelectionMaker::lookAtSuite() {
  llvm::append_range(sharedFiles_, sharedFixtures(entries_, tests_));
  resettled_ = resettledTests(entries_, tests_, paths_, recordedEnvironment_);
  addNewEntries(entries_, tests_, registered_);
}

void SelectionMaker::decide() {
  SelectInput input{delta_,       versions_.baseline, names_,       tests_,      rows_, files_,
                    sharedFiles_, resettled_,         environment_, registered_, {}};
  input.always = alwaysTests(tree_->config, tests_, context_);
  input.triggered = triggeredTests(
      tree_->config, tests_, [this] { return changedFiles(paths_, index_->info); }, context_);
  input.quarantined = quarantinedTests(tree_->config, today(), tests_);
  selection_ = selectTests(input);
  DeltaView view{
      versions_.baseline,      versions_.current,      names_,
      versions_.baselineLines, versions_.currentLines, editedSince(*index_, paths_, tree_->states)};
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
