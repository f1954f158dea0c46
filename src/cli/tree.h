#pragma once

#include "build/compile_database.h"
#include "build/link_plan.h"
#include "cli/context.h"
#include "config/config.h"
#include "db/parse_cache.h"
#include "graph/extract_unit.h"
#include "graph/program_plan.h"

#include <CLI/CLI.hpp>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Error.h>

#include <future>
#include <string>
#include <vector>

namespace retest {

/// Where a command finds the project, and how it reads it.
struct TreeOptions {
  std::string build; ///< -p; empty: look for it
  std::string root;  ///< --root; empty: the top of the git checkout, or CMake's source directory
  unsigned jobs = 0; ///< -j; 0: as many as there are processors
  bool lineSensitive = false;
};

/// The options that say where the project is, without those on how to read it.
void addPlaceOptions(CLI::App &command, TreeOptions &options);
void addTreeOptions(CLI::App &command, TreeOptions &options);

/// The project as it lies in the work tree now, each unit parsed or found unchanged.
struct Tree {
  ProjectPaths paths;
  Config config;
  CompileDatabase database;
  ParseCache cache;
  FileStates states; ///< of the cache
  /// Units, by name, that somebody else has as they are: nothing is done about them.
  llvm::StringSet<> given;
  /// Units that were parsed before and have not changed since; they belong to `cache`.
  std::vector<const StoredUnit *> unchanged;
  /// Units that had to be parsed, and where the cache keeps them (nowhere if it cannot).
  std::vector<ExtractedUnit> parsed;
  std::vector<UnitRowId> parsedRows;
  std::shared_future<LinkPlan> links;
};

/// Where the project is. Says which build directory was found.
llvm::Expected<ProjectPaths> locateProject(const TreeOptions &options, Context &context);

/// What is in the project, without looking at any source file.
llvm::Expected<Tree> openTree(const TreeOptions &options, Context &context);

/// Brings the graphs up to date: parses the units whose command, inputs or missed look-ups have
/// changed, shows progress, and warns of each unit that does not parse. With `keepsGraphs` false,
/// graphs that are safe in the cache are dropped from memory.
llvm::Error readTree(Tree &tree, const TreeOptions &options, bool keepsGraphs, Context &context);

/// All graphs of the tree but the given ones, with one table of names.
llvm::Expected<std::vector<UnitGraph>> loadGraphs(Tree &tree, Names &names);

/// What the build links, in terms of the graph. Tells what could not be understood.
ProgramPlan programPlan(const Tree &tree, Names &names, Context &context);

/// Makes the directory for our files, and lets git ignore it. A build directory that cannot be
/// written to is no reason to fail: the cache then stays in memory, and the store will say so.
void createStateDirectory(const std::string &directory);

/// The directory for retest's own files in a build directory, which git ignores.
std::string stateDirectory(const ProjectPaths &paths);
/// The file that holds the baselines: RETEST_STORE, or in the state directory.
std::string storePath(const ProjectPaths &paths);

} // namespace retest
