#include "cli/project_version.h"

#include "cli/baselines.h"
#include "cli/source_lines.h"
#include "graph/link_program.h"

namespace retest {

llvm::Expected<ProjectVersion> loadBaselineVersion(const ProjectPaths &paths,
                                                   const std::string &typed, Names &names) {
  llvm::Expected<Store> store = openStore(paths);
  if (!store)
    return store.takeError();
  llvm::Expected<std::string> name = findBaseline(*store, paths, typed);
  if (!name)
    return name.takeError();
  llvm::Expected<Baseline> baseline = store->loadBaseline(*name, names);
  if (!baseline)
    return baseline.takeError();
  std::vector<UnitGraph> graphs;
  RecordedFiles files{baseline->info.commit, {}};
  for (UnitRecord &unit : baseline->units) {
    graphs.push_back(std::move(unit.graph));
    for (const FileInput &input : unit.inputs)
      files.contents[input.path] = input.content;
  }
  return ProjectVersion{paths, linkProject(std::move(graphs), baseline->plan, names),
                        sourceLinesOf(paths, std::move(files)), std::move(baseline->info)};
}

llvm::Expected<ProjectVersion> loadTreeVersion(const TreeOptions &options, Names &names,
                                               Context &context) {
  llvm::Expected<Tree> tree = openTree(options, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, options, /*keepsGraphs=*/true, context))
    return failed;
  llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, names);
  if (!graphs)
    return graphs.takeError();
  ProgramPlan plan = programPlan(*tree, names, context);
  return ProjectVersion{
      tree->paths, linkProject(std::move(*graphs), plan, names), sourceLinesOf(tree->paths), {}};
}

} // namespace retest
