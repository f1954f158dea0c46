#include "graph/program_graph.h"

namespace retest {

std::vector<UnitId> unitsOf(const ProgramGraph &program) {
  std::vector<UnitId> units;
  std::vector<bool> isKnown;
  for (const ProgramUnit &entry : program.units) {
    if (entry.unit.value >= isKnown.size())
      isKnown.resize(entry.unit.value + 1);
    if (!isKnown[entry.unit.value])
      units.push_back(entry.unit);
    isKnown[entry.unit.value] = true;
  }
  return units;
}

template <class EntityId>
static std::vector<EntityId> distinctOf(const Project &project, const ProgramGraph &program,
                                        std::vector<EntityId> ProjectUnit::*entities) {
  std::vector<EntityId> all;
  for (UnitId unit : unitsOf(program))
    all.insert(all.end(), (project[unit].*entities).begin(), (project[unit].*entities).end());
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<FunctionId> functionsOf(const Project &project, const ProgramGraph &program) {
  return distinctOf(project, program, &ProjectUnit::functions);
}

std::vector<ClassId> classesOf(const Project &project, const ProgramGraph &program) {
  return distinctOf(project, program, &ProjectUnit::classes);
}

llvm::SmallVector<UnitId, 2> unitsWith(const Project &project, const ProgramGraph &program,
                                       FunctionId function) {
  if (project[function].linkage == Linkage::Internal)
    return {project.functionUnits[function.value]};
  llvm::SmallVector<UnitId, 2> units;
  if (const auto *definition = program.functions.find(project[function].name))
    for (const auto &variant : program.functions.variantsOf(*definition))
      if (variant.entity == function)
        units.push_back(variant.unit);
  return units;
}

const ProgramGraph *programWith(const Project &project, FunctionId function) {
  bool isInternal = project[function].linkage == Linkage::Internal;
  UnitId owner = project.functionUnits[function.value];
  for (const ProgramGraph &program : project.programs) {
    auto isOwner = [&](const ProgramUnit &entry) { return entry.unit == owner; };
    if (isInternal ? llvm::any_of(program.units, isOwner)
                   : !unitsWith(project, program, function).empty())
      return &program;
  }
  return nullptr;
}

llvm::SmallVector<FunctionId, 2> meaningsOf(const Project &project, const ProgramGraph &program,
                                            NameId name, llvm::ArrayRef<UnitId> units) {
  llvm::SmallVector<FunctionId, 2> meanings;
  bool isSeenFromOutside = units.empty();
  for (UnitId unit : units) {
    auto internal = project[unit].internalFunctions.entitiesOf(name);
    meanings.append(internal.begin(), internal.end());
    isSeenFromOutside |= internal.empty();
  }
  if (isSeenFromOutside) {
    auto linked = program.functions.entitiesOf(name);
    meanings.append(linked.begin(), linked.end());
  }
  return meanings;
}

bool isMain(const Function &function, const Names &names) {
  llvm::StringRef name = names.text(function.name);
  return function.linkage == Linkage::Strong && (name == "main" || name.starts_with("main("));
}

} // namespace retest
