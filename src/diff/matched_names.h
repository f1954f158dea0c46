#pragma once

#include "graph/program_graph.h"

namespace retest {

/// Walks over two lists of functions, classes or variables, each sorted by the text of the name as
/// in ProjectUnit, and calls `visit(baseline, current)` for each name with the entities of that
/// name. A name that one side lacks comes with an empty list there.
template <class EntityId, class Visit>
void forEachName(const Project &baselineProject, llvm::ArrayRef<EntityId> baseline,
                 const Project &currentProject, llvm::ArrayRef<EntityId> current,
                 const Names &names, Visit visit) {
  auto take = [](const Project &project, llvm::ArrayRef<EntityId> &list, NameId name) {
    llvm::ArrayRef<EntityId> taken =
        list.take_while([&](EntityId id) { return project[id].name == name; });
    list = list.drop_front(taken.size());
    return taken;
  };
  while (!baseline.empty() || !current.empty()) {
    NameId old = baseline.empty() ? NameId{} : baselineProject[baseline.front()].name;
    NameId now = current.empty() ? NameId{} : currentProject[current.front()].name;
    int order = !old.isValid()   ? 1
                : !now.isValid() ? -1
                : old == now     ? 0
                                 : names.text(old).compare(names.text(now));
    llvm::ArrayRef<EntityId> none;
    visit(order <= 0 ? take(baselineProject, baseline, old) : none,
          order >= 0 ? take(currentProject, current, now) : none);
  }
}

} // namespace retest
