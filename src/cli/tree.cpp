#include "cli/tree.h"

#include "build/build_directory.h"
#include "build/paths.h"
#include "cli/configuration.h"
#include "cli/program_plan.h"
#include "cli/unit_reader.h"
#include "graph/extract_project.h"
#include "graph/freshness.h"
#include "graph/share_names.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace retest {

namespace {

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

/// Code in other languages is no part of the graph, which the user should know.
void tellLeftOut(const CompileDatabase &database, const ProjectPaths &paths, Context &context) {
  for (const std::string &skipped : database.skipped)
    context.detail("left out: " + skipped);
  if (!database.others.empty())
    context.info(fmt::format("{}, such as {}, in another language than C and C++: not looked into",
                             plural(database.others.size(), "file"),
                             paths.nameOf(database.others.front().file)));
}

/// A project of which nothing can be read was not set up for this: not a doubt, an error.
llvm::Error checkAnyParsed(const Tree &tree) {
  if (!tree.given.empty())
    return llvm::Error::success();
  for (const StoredUnit *unit : tree.unchanged)
    if (unit->isParsed())
      return llvm::Error::success();
  for (const ExtractedUnit &unit : tree.parsed)
    if (unit.record.isParsed())
      return llvm::Error::success();
  return error("{}: none of its units parses; does the project build?", tree.database.path);
}

/// So that the next run needs to read none of the files that this one has parsed.
void rememberFiles(Tree &tree) {
  for (const ExtractedUnit &unit : tree.parsed)
    for (const FileInput &input : unit.record.inputs)
      tree.states.current(tree.paths.pathOf(input.path));
}

} // namespace

void addPlaceOptions(CLI::App &command, TreeOptions &options) {
  command
      .add_option("-p,-B,--build-dir", options.build,
                  "The build directory, where compile_commands.json is")
      ->type_name("DIR");
  command.add_option("--root", options.root, "The root of the project")->type_name("DIR");
}

void addTreeOptions(CLI::App &command, TreeOptions &options) {
  addPlaceOptions(command, options);
  command.add_option("-j,--jobs", options.jobs, "Do N things at a time")->type_name("N");
  command.add_flag("--line-sensitive", options.lineSensitive,
                   "Let __LINE__, __FILE__ and their like count wherever they appear");
}

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

std::string stateDirectory(const ProjectPaths &paths) { return paths.build + "/.retest"; }

std::string storePath(const ProjectPaths &paths) {
  const char *moved = std::getenv("RETEST_STORE");
  return moved && *moved ? moved : stateDirectory(paths) + "/retest.db";
}

llvm::Expected<ProjectPaths> locateProject(const TreeOptions &options, Context &context) {
  std::string build = options.build;
  if (build.empty()) {
    llvm::Expected<std::string> chosen =
        configuredBuild(options.root.empty() ? projectRootHere() : realPath(options.root), context);
    if (!chosen)
      return chosen.takeError();
    build = *chosen;
  }
  if (build.empty()) {
    llvm::Expected<BuildDirectory> found = findBuildDirectory(".");
    if (!found)
      return found.takeError();
    build = found->path;
    if (!found->note.empty())
      context.info(found->note);
  }
  return findProject(build, options.root.empty() ? std::nullopt : std::optional(options.root));
}

llvm::Expected<Tree> openTree(const TreeOptions &options, Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<Config> config = loadConfig(paths->root, context);
  if (!config)
    return config.takeError();
  llvm::Expected<CompileDatabase> database = loadCompileDatabase(paths->build, *paths);
  if (!database)
    return database.takeError();
  tellLeftOut(*database, *paths, context);
  if (llvm::Error missing = checkSources(*database))
    return missing;
  if (llvm::Error missing = checkCompilers(*database))
    return missing;
  createStateDirectory(stateDirectory(*paths));
  ParseCache cache = ParseCache::open(stateDirectory(*paths) + "/cache.db");
  // The build tool takes its time to answer: it does so while the sources are looked at.
  auto links = std::async(std::launch::async, [database = *database, paths = *paths] {
    return loadLinkPlan(database, paths);
  });
  FileStates states = cache.loadFileStates();
  return Tree{.paths = std::move(*paths),
              .config = std::move(*config),
              .database = std::move(*database),
              .cache = std::move(cache),
              .states = std::move(states),
              .given = {},
              .unchanged = {},
              .parsed = {},
              .parsedRows = {},
              .links = links.share()};
}

llvm::Error readTree(Tree &tree, const TreeOptions &options, bool keepsGraphs, Context &context) {
  Freshness freshness(tree.cache.files(), tree.states,
                      [&](llvm::StringRef name) { return tree.paths.pathOf(name); });
  std::vector<const Unit *> stale;
  for (const Unit &unit : tree.database.units) {
    if (tree.given.contains(unit.name))
      continue;
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
      context.warning(parseWarning(unit->name, unit->error));

  if (!stale.empty()) {
    llvm::Expected<ExtractOptions> extract = prepareExtraction(tree.database);
    if (!extract)
      return extract.takeError();
    extract->lineSensitive = options.lineSensitive;
    UnitReader reader(tree, keepsGraphs, stale.size(), context);
    extractUnits(stale, tree.paths, *extract, options.jobs,
                 [&](ExtractedUnit unit) { reader.take(std::move(unit)); });
    std::size_t failed = reader.finish();
    context.detail(fmt::format("{} parsed, {} unchanged, {} failed", plural(stale.size(), "unit"),
                               tree.unchanged.size(), failed));
    rememberFiles(tree);
  }
  tree.cache.saveFileStates(tree.states);
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
  // Units were parsed in any order; names get their ids in the same order each time.
  std::vector<ExtractedUnit *> parsed;
  for (ExtractedUnit &unit : tree.parsed)
    parsed.push_back(&unit);
  llvm::sort(parsed, [](const ExtractedUnit *a, const ExtractedUnit *b) {
    return a->record.name < b->record.name;
  });
  for (ExtractedUnit *unit : parsed) {
    shareNames(unit->record.graph, unit->names, names);
    graphs.push_back(std::move(unit->record.graph));
    graphs.back().name = names.intern(unit->record.name);
  }
  return graphs;
}

ProgramPlan programPlan(const Tree &tree, Names &names, Context &context) {
  const LinkPlan &links = tree.links.get();
  context.detail("link inputs from: " + links.source);
  for (const std::string &note : links.notes)
    context.detail(note);
  return programPlanOf(links, tree.paths, names);
}

} // namespace retest
