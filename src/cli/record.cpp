#include "cli/build_project.h"
#include "cli/built_units.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/record_suite.h"
#include "cli/record_summary.h"
#include "cli/tree.h"
#include "db/store.h"
#include "graph/extract_project.h"
#include "graph/link_program.h"
#include "run/suite_directory.h"
#include "support/error.h"
#include "support/git.h"

#include <fmt/chrono.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <unistd.h>

namespace retest {

namespace {

struct RecordOptions {
  TreeOptions tree;
  std::string name;
  bool graphOnly = false;
  bool skipsBuild = false;
  bool skipsForking = false;
  bool parallelCases = false;
  unsigned repeats = 1;
};

/// Where the work tree stands. A git that fails is no reason not to record: the name will tell.
std::optional<GitState> stateOf(const std::string &root, Context &context) {
  llvm::Expected<std::optional<GitState>> git = gitState(root);
  if (git)
    return *git;
  context.warning(llvm::toString(git.takeError()) + "; the baseline does not know its commit");
  return std::nullopt;
}

/// Whether a unit read a file that the commit does not have.
bool readsUntracked(const Tree &tree, const std::vector<std::string> &untracked) {
  llvm::StringSet<> unknown;
  for (const std::string &file : untracked)
    unknown.insert(file);
  if (unknown.empty())
    return false;
  for (const ExtractedUnit &unit : tree.parsed)
    for (const FileInput &input : unit.record.inputs)
      if (unknown.contains(input.path))
        return true;
  const FileTable &files = tree.cache.files();
  for (const StoredUnit *unit : tree.unchanged)
    for (FileVersionId input : unit->files.inputs)
      if (input.value < files.versions.size() &&
          unknown.contains(files.paths[files.versions[input.value].path.value]))
        return true;
  return false;
}

BaselineInfo describeBaseline(const RecordOptions &options, const Tree &tree, Context &context) {
  BaselineInfo info;
  std::optional<GitState> git = stateOf(tree.paths.root, context);
  if (git)
    info.commit = git->commit;
  info.name = options.name;
  info.environment = describeExtraction(options.tree.lineSensitive);
  if (info.name.empty() && !info.commit.empty()) {
    bool isDirty = git->isDirty || readsUntracked(tree, git->untracked);
    info.name = info.commit + (isDirty ? "-dirty" : "");
    if (isDirty)
      context.info("the work tree differs from its commit: the baseline is named " + info.name);
  }
  if (info.name.empty())
    info.name = "work-tree";
  info.recordedAt = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return info;
}

/// Keeps others from recording the same build directory meanwhile. Goes with the process.
class RecordLock {
public:
  static llvm::Expected<RecordLock> take(const ProjectPaths &paths) {
    std::string path = stateDirectory(paths) + "/record.lock";
    RecordLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.file_ < 0)
      return error("{}: cannot be written: {}", path, std::strerror(errno));
    if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0)
      return error("{}: another `retest record` is at work here; wait for its end", paths.build);
    return lock;
  }
  RecordLock(RecordLock &&other) noexcept : file_(std::exchange(other.file_, -1)) {}
  RecordLock &operator=(RecordLock &&) = delete;
  ~RecordLock() {
    if (file_ >= 0)
      close(file_);
  }

private:
  explicit RecordLock(int file) : file_(file) {}

  int file_;
};

/// The units of the tree for the store; those with graphs in the cache are copied as bytes.
BaselineUnits unitsFor(Tree &tree) {
  BaselineUnits units;
  units.cache = &tree.cache;
  for (const StoredUnit *unit : tree.unchanged)
    units.cached.push_back(unit->id);
  for (std::size_t i = 0; i < tree.parsed.size(); ++i)
    if (tree.parsedRows[i].isValid())
      units.cached.push_back(tree.parsedRows[i]);
    else
      units.parsed.push_back({&tree.parsed[i].record, &tree.parsed[i].names});
  return units;
}

void printUnits(const BaselineInfo &info, const Tree &tree, Context &context) {
  auto isDoubt = [](const auto &unit) { return !unit.isParsed(); };
  std::size_t doubts =
      llvm::count_if(tree.unchanged, [&](const StoredUnit *unit) { return isDoubt(*unit); }) +
      llvm::count_if(tree.parsed, [&](const ExtractedUnit &unit) { return isDoubt(unit.record); });
  context.out << fmt::format("baseline {}: {} {}, {} parsed, {} unchanged", info.name,
                             tree.database.units.size(),
                             tree.database.units.size() == 1 ? "unit" : "units", tree.parsed.size(),
                             tree.unchanged.size());
  if (doubts != 0)
    context.out << fmt::format(", {} in doubt", doubts);
  context.out << "\n";
}

llvm::Error save(const BaselineInfo &info, Tree &tree, const ProgramPlan &plan, const Names &names,
                 const CoverageMatrix *coverage) {
  llvm::Expected<Store> store = Store::open(storePath(tree.paths), OpenMode::Write);
  if (!store)
    return store.takeError();
  return store->saveBaseline(info, unitsFor(tree), {&plan, &names}, coverage);
}

llvm::Expected<ExitCode> recordGraph(const RecordOptions &options, Context &context) {
  llvm::Expected<Tree> tree = openTree(options.tree, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, options.tree, /*keepsGraphs=*/false, context))
    return failed;
  BaselineInfo info = describeBaseline(options, *tree, context);
  Names names;
  ProgramPlan plan = programPlan(*tree, names, context);
  if (llvm::Error failed = save(info, *tree, plan, names, nullptr))
    return failed;
  printUnits(info, *tree, context);
  return ExitCode::Success;
}

/// The binaries of the build as they lie there: file, size and time.
using Binaries =
    std::map<std::string,
             std::tuple<llvm::sys::fs::UniqueID, std::uint64_t, llvm::sys::TimePoint<>>>;

Binaries binariesOf(const Tree &tree, const ProgramPlan &plan, const Names &names) {
  Binaries binaries;
  for (const LinkedBinary &binary : plan.binaries) {
    std::string path = tree.paths.pathOf(names.text(binary.name));
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(path, status))
      binaries[path] = {status.getUniqueID(), status.getSize(), status.getLastModificationTime()};
  }
  return binaries;
}

llvm::Expected<ExitCode> recordTests(const RecordOptions &options, Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  createStateDirectory(stateDirectory(*paths));
  llvm::Expected<RecordLock> lock = RecordLock::take(*paths);
  if (!lock)
    return lock.takeError();
  unsigned jobs =
      std::max(options.tree.jobs, 1u); // of tests; as CTest: several if somebody says so
  if (unsigned removed = removeAbandoned(suitePlaces(stateDirectory(*paths), jobs)))
    context.detail(fmt::format("removed what {} killed `retest record` left behind", removed));
  // A store that cannot be written should not show only when all tests have run.
  if (llvm::Expected<Store> store = Store::open(storePath(*paths), OpenMode::Write); !store)
    return store.takeError();
  TreeOptions treeOptions = options.tree;
  treeOptions.build = paths->build;
  if (!options.skipsBuild) {
    context.info("building " + paths->build);
    if (llvm::Error failed = buildProject(*paths, treeOptions.jobs, context))
      return failed;
  }

  llvm::Expected<Tree> tree = openTree(treeOptions, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, treeOptions, /*keepsGraphs=*/true, context))
    return failed;
  if (options.skipsBuild)
    if (llvm::Error old = checkBuilt(*tree, tree->links.get()))
      return old;
  BaselineInfo info = describeBaseline(options, *tree, context);
  Names names;
  llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, names);
  if (!graphs)
    return graphs.takeError();
  ProgramPlan plan = programPlan(*tree, names, context);
  Binaries built = binariesOf(*tree, plan, names);
  Project project = linkProject(std::move(*graphs), plan, names);

  RecordSuiteOptions suiteOptions{jobs, options.parallelCases, !options.skipsForking,
                                  options.repeats};
  llvm::Expected<RecordedSuite> suite = recordSuite(*tree, project, names, suiteOptions, context);
  if (!suite)
    return suite.takeError();

  // What was parsed, built and run must be one version.
  if (!options.skipsBuild)
    if (llvm::Error failed = buildProject(*paths, treeOptions.jobs, context))
      return failed;
  if (binariesOf(*tree, plan, names) != built)
    return error("{}: a source file or a program changed while its tests ran, so nothing was "
                 "stored; run the command again",
                 paths->build);
  suite->matrix.environment = environmentOf(*tree);
  tree->cache.saveFileStates(tree->states);
  if (llvm::Error failed = save(info, *tree, plan, names, &suite->matrix))
    return failed;
  printUnits(info, *tree, context);
  printRecordSummary(*suite, storePath(*paths), context);
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runRecord(const RecordOptions &options, Context &context) {
  if (llvm::any_of(options.name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return error(ErrorKind::Usage, "--name: a name has no control characters");
  if (options.repeats == 0)
    return error(ErrorKind::Usage, "--repeat: tests run once at least");
  return options.graphOnly ? recordGraph(options, context) : recordTests(options, context);
}

} // namespace

void addRecordCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App *command =
      app.add_subcommand("record", "Run all tests and store what each of them reaches");
  command->add_flag("--graph-only", options->graphOnly, "Store the graph; run no tests");
  command->add_flag("--no-build", options->skipsBuild, "Take the build directory as it is");
  command->add_flag("--no-fork", options->skipsForking,
                    "Start a process for each test, never fork one");
  command->add_flag("--parallel-cases", options->parallelCases,
                    "With -j: also tests of one program at the same time");
  command->add_option("--repeat", options->repeats, "Run all tests N times; each keeps the union")
      ->type_name("N");
  command->add_option("--name", options->name, "The name of the baseline (default: the commit)")
      ->type_name("NAME");
  addTreeOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runRecord(*options, context); };
  });
}

} // namespace retest
