#include "cli/commands.h"
#include "cli/tree.h"
#include "db/store.h"
#include "graph/extract_project.h"
#include "support/error.h"
#include "support/git.h"

#include <fmt/chrono.h>
#include <llvm/ADT/StringSet.h>

#include <ctime>

namespace retest {

namespace {

struct RecordOptions {
  TreeOptions tree;
  std::string name;
  bool graphOnly = false;
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

llvm::Expected<ExitCode> recordGraph(const RecordOptions &options, Context &context) {
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
  BaselineInfo info = describeBaseline(options, *tree, context);
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
  context.out << fmt::format("baseline {}: {} {}, {} parsed, {} unchanged", info.name,
                             tree->database.units.size(),
                             tree->database.units.size() == 1 ? "unit" : "units",
                             tree->parsed.size(), tree->unchanged.size());
  if (doubts != 0)
    context.out << fmt::format(", {} in doubt", doubts);
  context.out << "\n";
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runRecord(const RecordOptions &options, Context &context) {
  if (!options.graphOnly)
    return error(ErrorKind::Usage,
                 "record: this version records the graph alone; add --graph-only");
  if (llvm::any_of(options.name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return error(ErrorKind::Usage, "--name: a name has no control characters");
  return recordGraph(options, context);
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
