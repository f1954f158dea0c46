#include "cli/delta_filter.h"

#include "cli/graph_selection.h"
#include "support/error.h"

#include <set>

namespace retest {

llvm::Expected<Delta> restrictedTo(const std::string &what, Delta delta,
                                   const ProjectVersion &baseline, const ProjectVersion &current,
                                   const Names &names) {
  auto matching = [&](const ProjectVersion &version) {
    std::vector<FunctionId> found = functionsMatching(version.project, version.paths, names, what);
    return std::set<FunctionId>(found.begin(), found.end());
  };
  const std::set<FunctionId> before = matching(baseline), now = matching(current);
  if (before.empty() && now.empty())
    return error(ErrorKind::Usage,
                 "{}: no function and no file of either version has this name; leave it out to see "
                 "all differences",
                 what);
  std::set<NameId> named;
  for (FunctionId id : before)
    named.insert(baseline.project[id].name);
  for (FunctionId id : now)
    named.insert(current.project[id].name);

  llvm::erase_if(delta.edges,
                 [&](const DangerousEdge &edge) { return !before.contains(edge.function); });
  llvm::erase_if(delta.classEntries, [&](const DangerousClassEntry &entry) {
    return !named.contains(entry.method) && !named.contains(entry.reason.entity);
  });
  llvm::erase_if(delta.functions, [&](const FunctionChange &change) {
    return !before.contains(change.baseline) && !now.contains(change.current);
  });
  for (std::vector<NameId> *list : {&delta.addedUnits, &delta.removedUnits, &delta.changedUnits,
                                    &delta.addedPrograms, &delta.removedPrograms})
    list->clear();
  return delta;
}

} // namespace retest
