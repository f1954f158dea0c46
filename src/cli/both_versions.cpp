#include "cli/both_versions.h"

#include "cli/edited_files.h"

#include "cli/source_lines.h"
#include "graph/extract_project.h"
#include "graph/link_program.h"

#include <llvm/ADT/StringMap.h>

#include <future>

namespace retest {
namespace {

/// The baseline, and its units for the other version to share.
struct LoadedBaseline {
  std::vector<SharedUnit> units; ///< by index in BaselineIndex::units
  Project project;
};

llvm::Expected<LoadedBaseline> loadBaseline(Store &store, const BaselineIndex &index,
                                            Names &names) {
  llvm::Expected<ProgramPlan> plan = store.loadPlan(index.id, names);
  if (!plan)
    return plan.takeError();
  llvm::Expected<std::vector<SharedUnit>> units = store.loadGraphs(index, names);
  if (!units)
    return units.takeError();
  Project project = linkProject(*units, *plan, names);
  return LoadedBaseline{std::move(*units), std::move(project)};
}

} // namespace

std::vector<std::string> inputsOf(const BaselineIndex &index, const ProjectPaths &paths) {
  std::vector<std::string> inputs;
  for (const auto &file : recordedFiles(index).contents)
    inputs.push_back(paths.pathOf(file.first));
  return inputs;
}

void findGiven(Tree &tree, const BaselineIndex &index, bool lineSensitive) {
  llvm::StringMap<const StoredUnit *> known;
  for (const StoredUnit &unit : index.units)
    if (unit.isParsed())
      known.try_emplace(unit.name, &unit);
  Freshness freshness(index.files, tree.states,
                      [&](llvm::StringRef name) { return tree.paths.pathOf(name); });
  for (const Unit &unit : tree.database.units) {
    const StoredUnit *then = known.lookup(unit.name);
    if (then && then->command == commandKey(unit, tree.paths, lineSensitive) &&
        freshness.isUpToDate(then->files))
      tree.given.insert(unit.name);
  }
}

llvm::Expected<bool> isUnchanged(const Tree &tree, Store &store, const BaselineIndex &index,
                                 Names &names, Context &context) {
  if (tree.given.size() != index.units.size() || tree.given.size() != tree.database.units.size())
    return false;
  llvm::Expected<ProgramPlan> plan = store.loadPlan(index.id, names);
  if (!plan)
    return plan.takeError();
  return *plan == programPlan(tree, names, context);
}

llvm::Expected<Versions> loadVersions(Tree &tree, const TreeOptions &options, Store &store,
                                      const BaselineIndex &index, Names &names, Context &context,
                                      StepTimes &times) {
  auto loading = std::async(std::launch::async, [&] { return loadBaseline(store, index, names); });
  llvm::Error failed = readTree(tree, options, /*keepsGraphs=*/true, context);
  times.done("changed units read");
  llvm::Expected<LoadedBaseline> before = loading.get();
  if (!before)
    return llvm::joinErrors(std::move(failed), before.takeError());
  if (failed)
    return failed;
  times.done("baseline loaded");
  llvm::Expected<std::vector<UnitGraph>> others = loadGraphs(tree, names);
  if (!others)
    return others.takeError();
  std::vector<SharedUnit> now;
  for (std::size_t i = 0; i < before->units.size(); ++i)
    if (tree.given.contains(index.units[i].name))
      now.push_back(std::move(before->units[i]));
  for (UnitGraph &unit : *others)
    now.emplace_back(std::move(unit));
  Project current = linkProject(std::move(now), programPlan(tree, names, context), names);
  times.done("current version linked");
  return Versions{std::move(before->project), std::move(current),
                  sourceLinesOf(tree.paths, recordedFiles(index)), sourceLinesOf(tree.paths)};
}

} // namespace retest
