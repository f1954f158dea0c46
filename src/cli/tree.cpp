#include "cli/tree.h"

#include "build/build_directory.h"
#include "graph/extract_project.h"
#include "graph/freshness.h"
#include "graph/share_names.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace retest {

namespace {

/// The cache is written each time this many units have been parsed: a run that is killed loses
/// no more than these.
constexpr std::size_t kUnitsPerSave = 8;

std::string plural(std::size_t count, llvm::StringRef what) {
  return fmt::format("{} {}{}", count, what.str(), count == 1 ? "" : "s");
}

llvm::Error checkSources(const CompileDatabase &database) {
  for (const Unit &unit : database.units) {
    if (!llvm::sys::fs::is_directory(unit.command.directory))
      return error("{}: directory of the command for {} in {}, but not there; configure the build "
                   "directory again",
                   unit.command.directory, unit.name, database.path);
    for (const std::string &argument : unit.command.arguments)
      if (llvm::StringRef(argument).starts_with("@"))
        return error("{}: response file of the command for {} in {}, but not there; build the "
                     "project, or configure it again",
                     argument.substr(1), unit.name, database.path);
    if (!llvm::sys::fs::exists(unit.command.file))
      return error("{}: named in {}, but not there; build the project if the file is generated, or "
                   "configure the build directory again",
                   unit.command.file, database.path);
  }
  return llvm::Error::success();
}

/// Makes the directory for our files, and lets git ignore it. A build directory that cannot be
/// written to is no reason to fail: the cache then stays in memory, and the store will say so.
void createStateDirectory(const std::string &directory) {
  std::string ignore = directory + "/.gitignore";
  if (llvm::sys::fs::exists(ignore) ||
      llvm::sys::fs::create_directories(directory, true, llvm::sys::fs::perms::all_all))
    return;
  std::error_code failed;
  llvm::raw_fd_ostream out(ignore, failed);
  if (!failed)
    out << "*\n";
}

/// Parses units, tells of progress and errors, and keeps the results in the cache as they come.
class Reader {
public:
  Reader(Tree &tree, bool keepsGraphs, std::size_t total, Context &context)
      : tree_(tree), keepsGraphs_(keepsGraphs), context_(context),
        progress_(context.progress("Parsing", total)) {}

  void take(ExtractedUnit unit) {
    progress_.advance(unit.record.name);
    if (!unit.record.isParsed()) {
      ++failed_;
      progress_.note("retest: warning: " + unit.record.name +
                     " does not parse: " + unit.record.error);
    }
    if (context_.options.isVerbose && !unit.droppedFlags.empty())
      progress_.note(fmt::format("retest: {}: flags unknown to Clang are left out: {}",
                                 unit.record.name, fmt::join(unit.droppedFlags, " ")));
    pending_.push_back(std::move(unit));
    if (pending_.size() == kUnitsPerSave)
      save();
  }

  std::size_t finish() {
    save();
    progress_.finish();
    return failed_;
  }

private:
  void save() {
    std::vector<NamedUnit> units;
    for (const ExtractedUnit &unit : pending_)
      units.push_back({&unit.record, &unit.names});
    std::vector<UnitRowId> rows = tree_.cache.save(units);
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      UnitRowId row = i < rows.size() ? rows[i] : UnitRowId{};
      if (row.isValid() && !keepsGraphs_) {
        pending_[i].record.graph = {};
        pending_[i].names = {};
      }
      tree_.parsedRows.push_back(row);
      tree_.parsed.push_back(std::move(pending_[i]));
    }
    pending_.clear();
  }

  Tree &tree_;
  bool keepsGraphs_;
  Context &context_;
  Progress progress_;
  std::vector<ExtractedUnit> pending_;
  std::size_t failed_ = 0;
};

/// A project of which nothing can be read was not set up for this: not a doubt, an error.
llvm::Error checkAnyParsed(const Tree &tree) {
  for (const StoredUnit *unit : tree.unchanged)
    if (unit->isParsed())
      return llvm::Error::success();
  for (const ExtractedUnit &unit : tree.parsed)
    if (unit.record.isParsed())
      return llvm::Error::success();
  return error("{}: none of its units parses; does the project build?", tree.database.path);
}

/// So that the next run needs to read none of the files that this one has parsed.
void rememberFiles(const Tree &tree, FileStates &states) {
  for (const ExtractedUnit &unit : tree.parsed)
    for (const FileInput &input : unit.record.inputs)
      states.current(tree.paths.pathOf(input.path));
}

ProgramInputKind kindOf(LinkInput::Kind kind) {
  switch (kind) {
  case LinkInput::Kind::Unit:
    return ProgramInputKind::Unit;
  case LinkInput::Kind::Archive:
    return ProgramInputKind::Archive;
  case LinkInput::Kind::SharedLibrary:
    return ProgramInputKind::SharedLibrary;
  case LinkInput::Kind::Object:
    return ProgramInputKind::Object;
  case LinkInput::Kind::External:
    return ProgramInputKind::External;
  }
  llvm_unreachable("all kinds are named");
}

ProgramKind kindOf(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::Executable:
    return ProgramKind::Executable;
  case BinaryKind::SharedLibrary:
    return ProgramKind::SharedLibrary;
  case BinaryKind::Module:
    return ProgramKind::Module;
  case BinaryKind::Archive:
    return ProgramKind::Archive;
  }
  llvm_unreachable("all kinds are named");
}

} // namespace

void addTreeOptions(CLI::App &command, TreeOptions &options) {
  command
      .add_option("-p,-B,--build-dir", options.build,
                  "The build directory, where compile_commands.json is")
      ->type_name("DIR");
  command.add_option("--root", options.root, "The root of the project")->type_name("DIR");
  command.add_option("-j,--jobs", options.jobs, "Parse N units at a time")->type_name("N");
  command.add_flag("--line-sensitive", options.lineSensitive,
                   "Let __LINE__, __FILE__ and their like count wherever they appear");
}

std::string stateDirectory(const ProjectPaths &paths) { return paths.build + "/.retest"; }

std::string storePath(const ProjectPaths &paths) {
  const char *moved = std::getenv("RETEST_STORE");
  return moved && *moved ? moved : stateDirectory(paths) + "/retest.db";
}

llvm::Expected<Tree> openTree(const TreeOptions &options, Context &context) {
  std::string build = options.build;
  if (build.empty()) {
    llvm::Expected<BuildDirectory> found = findBuildDirectory(".");
    if (!found)
      return found.takeError();
    build = found->path;
    if (!found->note.empty())
      context.info(found->note);
  }
  llvm::Expected<ProjectPaths> paths =
      findProject(build, options.root.empty() ? std::nullopt : std::optional(options.root));
  if (!paths)
    return paths.takeError();
  llvm::Expected<CompileDatabase> database = loadCompileDatabase(build, *paths);
  if (!database)
    return database.takeError();
  for (const std::string &skipped : database->skipped)
    context.detail("left out: " + skipped);
  if (llvm::Error missing = checkSources(*database))
    return missing;
  if (llvm::Error missing = checkCompilers(*database))
    return missing;
  createStateDirectory(stateDirectory(*paths));
  ParseCache cache = ParseCache::open(stateDirectory(*paths) + "/cache.db");
  return Tree{std::move(*paths), std::move(*database), std::move(cache), {}, {}, {}};
}

llvm::Error readTree(Tree &tree, const TreeOptions &options, bool keepsGraphs, Context &context) {
  FileStates states = tree.cache.loadFileStates();
  Freshness freshness(tree.cache.files(), states,
                      [&](llvm::StringRef name) { return tree.paths.pathOf(name); });
  std::vector<const Unit *> stale;
  for (const Unit &unit : tree.database.units) {
    const StoredUnit *known = nullptr;
    for (const StoredUnit *version :
         tree.cache.lookup(unit.name, commandKey(unit, tree.paths, options.lineSensitive)))
      if (!known && freshness.isUpToDate(version->files))
        known = version;
    if (known)
      tree.unchanged.push_back(known);
    else
      stale.push_back(&unit);
  }
  for (const StoredUnit *unit : tree.unchanged)
    if (!unit->isParsed())
      context.warning(unit->name + " does not parse: " + unit->error);

  if (!stale.empty()) {
    llvm::Expected<ExtractOptions> extract = prepareExtraction(tree.database);
    if (!extract)
      return extract.takeError();
    extract->lineSensitive = options.lineSensitive;
    Reader reader(tree, keepsGraphs, stale.size(), context);
    extractUnits(stale, tree.paths, *extract, options.jobs,
                 [&](ExtractedUnit unit) { reader.take(std::move(unit)); });
    std::size_t failed = reader.finish();
    context.detail(fmt::format("{} parsed, {} unchanged, {} failed", plural(stale.size(), "unit"),
                               tree.unchanged.size(), failed));
    rememberFiles(tree, states);
  }
  tree.cache.saveFileStates(states);
  if (llvm::Error nothing = checkAnyParsed(tree))
    return nothing;
  for (const std::string &note : tree.cache.notes())
    context.warning(note);
  return llvm::Error::success();
}

llvm::Expected<std::vector<UnitGraph>> loadGraphs(Tree &tree, Names &names) {
  std::vector<UnitGraph> graphs;
  for (const StoredUnit *unit : tree.unchanged) {
    llvm::Expected<UnitRecord> record = tree.cache.load(*unit, names);
    if (!record) // another process may have made room in the cache: it is only a cache
      return llvm::joinErrors(record.takeError(), error("{}: run the command again", unit->name));
    graphs.push_back(std::move(record->graph));
    graphs.back().name = names.intern(record->name);
  }
  for (ExtractedUnit &unit : tree.parsed) {
    shareNames(unit.record.graph, unit.names, names);
    graphs.push_back(std::move(unit.record.graph));
    graphs.back().name = names.intern(unit.record.name);
  }
  return graphs;
}

ProgramPlan programPlan(const Tree &tree, Names &names, Context &context) {
  LinkPlan links = loadLinkPlan(tree.database, tree.paths);
  context.detail("link inputs from: " + links.source);
  for (const std::string &note : links.notes)
    context.detail(note);
  ProgramPlan plan;
  for (const Binary &binary : links.binaries) {
    LinkedBinary linked{names.intern(binary.name), kindOf(binary.kind), {}};
    for (const LinkInput &input : binary.inputs)
      linked.inputs.push_back({kindOf(input.kind), names.intern(input.name), input.isWhole});
    plan.binaries.push_back(std::move(linked));
  }
  return plan;
}

} // namespace retest
