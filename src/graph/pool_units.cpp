#include "graph/pool_units.h"

#include <llvm/ADT/DenseMap.h>

namespace retest {
namespace {

/// Enough to find candidates; equality decides.
std::uint64_t bucketOf(const Function &function) { return function.fingerprint.low; }
std::uint64_t bucketOf(const Variable &variable) { return variable.fingerprint.low; }
std::uint64_t bucketOf(const Class &type) { return type.layout.low ^ type.dispatch.high; }

/// Gives each distinct value one id; a strong or internal one is its unit's alone.
template <class T, class EntityId> class Pool {
public:
  using Pointer = typename SharedPool<T>::Pointer;

  Pool(SharedPool<T> &values, std::vector<UnitId> *firstUnits)
      : values_(values), firstUnits_(firstUnits) {}

  EntityId add(const Pointer &value, UnitId unit) {
    if (value->linkage != Linkage::Weak)
      return append(value, unit);
    auto &candidates = known_[{value->name.value, bucketOf(*value)}];
    for (EntityId candidate : candidates)
      if (const Pointer &other = values_.pointers()[candidate.value];
          other == value || *other == *value)
        return candidate;
    candidates.push_back(append(value, unit));
    return candidates.back();
  }

private:
  EntityId append(const Pointer &value, UnitId unit) {
    EntityId id{static_cast<std::uint32_t>(values_.size())};
    values_.add(value);
    if (firstUnits_)
      firstUnits_->push_back(unit);
    return id;
  }

  SharedPool<T> &values_;
  std::vector<UnitId> *firstUnits_;
  llvm::DenseMap<std::pair<std::uint32_t, std::uint64_t>, llvm::SmallVector<EntityId, 1>> known_;
};

template <class T, class EntityId>
void poolAll(const SharedPool<T> &values, UnitId unit, Pool<T, EntityId> &pool,
             std::vector<EntityId> &ids, NameTable<EntityId> &internal) {
  std::vector<NameRow<EntityId>> internalRows;
  ids.reserve(values.size());
  for (const auto &value : values.pointers()) {
    ids.push_back(pool.add(value, unit));
    if (value->linkage == Linkage::Internal)
      internalRows.push_back({value->name, ids.back(), unit});
  }
  internal = makeNameTable(std::move(internalRows));
}

} // namespace

Project poolUnits(std::vector<SharedUnit> units, const Names &names) {
  llvm::sort(units, [&](const SharedUnit &a, const SharedUnit &b) {
    return names.text(a.rest.name) < names.text(b.rest.name);
  });

  Project project;
  Pool<Function, FunctionId> functions(project.functions, &project.functionUnits);
  Pool<Class, ClassId> classes(project.classes, &project.classUnits);
  Pool<Variable, VariableId> variables(project.variables, nullptr);
  for (SharedUnit &shared : units) {
    UnitId id{static_cast<std::uint32_t>(project.units.size())};
    ProjectUnit &unit = project.units.emplace_back();
    UnitGraph &graph = shared.rest;
    unit.name = graph.name;
    unit.doubts = std::move(graph.doubts);
    unit.fingerprint = graph.fingerprint;
    unit.flags = graph.flags;
    unit.givenToLibraries = graph.givenToLibraries;
    unit.compiledOut = std::move(graph.compiledOut);
    unit.externalHeaders = std::move(graph.externalHeaders);
    unit.isParsed = graph.isParsed;
    poolAll(shared.functions, id, functions, unit.functions, unit.internalFunctions);
    poolAll(shared.classes, id, classes, unit.classes, unit.internalClasses);
    poolAll(shared.variables, id, variables, unit.variables, unit.internalVariables);
    if (graph.initialiser.isValid())
      for (FunctionId function : unit.functions)
        if (project[function].name == graph.initialiser)
          unit.initialiser = function;
  }
  return project;
}

} // namespace retest
