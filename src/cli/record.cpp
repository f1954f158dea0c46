#include "cli/build_description.h"
#include "cli/build_project.h"
#include "cli/built_binaries.h"
#include "cli/built_units.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/last_failed.h"
#include "cli/record_suite.h"
#include "cli/record_summary.h"
#include "cli/write_baseline.h"
#include "graph/link_program.h"
#include "report/junit.h"
#include "run/suite_directory.h"
#include "support/error.h"

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

llvm::Expected<ExitCode> recordGraph(const RecordOptions &options, Context &context) {
  llvm::Expected<Tree> tree = openTree(options.tree, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, options.tree, /*keepsGraphs=*/false, context))
    return failed;
  BaselineInfo info = describeBaseline(options.name, options.tree.lineSensitive, *tree, context);
  Names names;
  ProgramPlan plan = programPlan(*tree, names, context);
  if (llvm::Error failed = saveBaseline(info, *tree, plan, names, nullptr))
    return failed;
  printUnits(info, *tree, context);
  return ExitCode::Success;
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
    if (llvm::Error failed = updateBuildDescription(*paths))
      return failed;
    if (llvm::Error failed = buildProject(*paths, treeOptions.jobs, context))
      return failed;
  }

  llvm::Expected<Tree> tree = openTree(treeOptions, context);
  if (!tree)
    return tree.takeError();
  if (!options.skipsBuild)
    if (llvm::Error failed = buildOthers(*paths, tree->links.get(), treeOptions.jobs, context))
      return failed;
  if (llvm::Error failed = readTree(*tree, treeOptions, /*keepsGraphs=*/true, context))
    return failed;
  const bool isBuiltByUs = !options.skipsBuild && canBuildOthers(*paths, tree->links.get());
  if (!isBuiltByUs)
    if (llvm::Error old = checkBuilt(*tree, tree->links.get()))
      return old;
  BaselineInfo info = describeBaseline(options.name, options.tree.lineSensitive, *tree, context);
  Names names;
  llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, names);
  if (!graphs)
    return graphs.takeError();
  ProgramPlan plan = programPlan(*tree, names, context);
  BuiltBinaries built(*tree, plan, names);
  Project project = linkProject(std::move(*graphs), plan, names);

  RecordSuiteOptions suiteOptions{jobs, options.parallelCases, !options.skipsForking,
                                  options.repeats};
  llvm::Expected<RecordedSuite> suite = recordSuite(*tree, project, names, suiteOptions, context);
  if (!suite)
    return suite.takeError();

  // What was parsed, built and run must be one version.
  if (!options.skipsBuild) {
    if (llvm::Error failed = buildProject(*paths, treeOptions.jobs, context))
      return failed;
    if (llvm::Error failed = buildOthers(*paths, tree->links.get(), treeOptions.jobs, context))
      return failed;
  }
  if (!isBuiltByUs)
    if (llvm::Error old = checkBuilt(*tree, tree->links.get()))
      return old;
  if (std::string changed = built.changed(); !changed.empty())
    return error("{}: changed while its tests ran, or each build makes another one; so nothing was "
                 "stored; run the command again, or build first and use --no-build",
                 changed);
  suite->matrix.environment = environmentOf(*tree);
  tree->cache.saveFileStates(tree->states);
  if (llvm::Error failed = saveBaseline(info, *tree, plan, names, &suite->matrix))
    return failed;
  std::set<TestKey> failed;
  for (const RecordedTest &test : suite->matrix.tests)
    if (isFailure(test.status))
      failed.insert(keyOf(test));
  saveLastFailed(*paths, failed);
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
