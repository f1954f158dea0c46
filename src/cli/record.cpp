#include "cli/commands.h"
#include "cli/tree.h"
#include "db/store.h"
#include "support/error.h"
#include "support/git.h"

#include <fmt/chrono.h>

#include <ctime>

namespace retest {

namespace {

struct RecordOptions {
  TreeOptions tree;
  std::string name;
  bool graphOnly = false;
};

BaselineInfo describeBaseline(const RecordOptions &options, const ProjectPaths &paths,
                              Context &context) {
  BaselineInfo info;
  std::optional<GitState> git = gitState(paths.root);
  if (git)
    info.commit = git->commit;
  info.name = options.name;
  if (info.name.empty() && !info.commit.empty()) {
    info.name = info.commit + (git->isDirty ? "-dirty" : "");
    if (git->isDirty)
      context.info("the work tree differs from its commit: the baseline is named " + info.name);
  }
  if (info.name.empty())
    info.name = "work-tree";
  info.recordedAt = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return info;
}

llvm::Expected<ExitCode> runRecord(const RecordOptions &options, Context &context) {
  if (!options.graphOnly)
    return error(ErrorKind::Usage,
                 "record: this version records the graph alone; add --graph-only");
  llvm::Expected<Tree> tree = openTree(options.tree, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, options.tree, /*keepsGraphs=*/false, context))
    return failed;

  BaselineUnits units;
  units.cache = &tree->cache;
  for (const StoredUnit *unit : tree->unchanged)
    units.cached.push_back(unit->id);
  for (std::size_t i = 0; i < tree->parsed.size(); ++i)
    if (tree->parsedRows[i].isValid())
      units.cached.push_back(tree->parsedRows[i]);
    else
      units.parsed.push_back({&tree->parsed[i].record, &tree->parsed[i].names});
  BaselineInfo info = describeBaseline(options, tree->paths, context);
  llvm::Expected<Store> store = Store::open(storePath(tree->paths), OpenMode::Write);
  if (!store)
    return store.takeError();
  Names names;
  ProgramPlan plan = programPlan(*tree, names, context);
  if (llvm::Error failed = store->saveBaseline(info, units, {&plan, &names}))
    return failed;

  auto isDoubt = [](const auto &unit) { return !unit.isParsed(); };
  std::size_t doubts =
      llvm::count_if(tree->unchanged, [&](const StoredUnit *unit) { return isDoubt(*unit); }) +
      llvm::count_if(tree->parsed, [&](const ExtractedUnit &unit) { return isDoubt(unit.record); });
  context.out << fmt::format("baseline {}: {} units, {} parsed, {} unchanged", info.name,
                             tree->database.units.size(), tree->parsed.size(),
                             tree->unchanged.size());
  if (doubts != 0)
    context.out << fmt::format(", {} in doubt", doubts);
  context.out << "\n";
  return ExitCode::Success;
}

} // namespace

void addRecordCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App *command = app.add_subcommand("record", "Store the program graph as a baseline");
  command->add_flag("--graph-only", options->graphOnly, "Store the graph; run no tests");
  command->add_option("--name", options->name, "The name of the baseline (default: the commit)")
      ->type_name("NAME");
  addTreeOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runRecord(*options, context); };
  });
}

} // namespace retest
