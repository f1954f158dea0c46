#include "graph/unit_references.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// Collects the names that a set of functions and variables of one unit refers to.
class Collector {
public:
  Collector(const Project &project, const ProjectUnit &unit) : project_(project) {
    for (FunctionId function : unit.functions)
      functions_[project[function].name.value].push_back(function);
    for (VariableId variable : unit.variables)
      if (!project[variable].isExternal)
        variables_[project[variable].name.value] = variable;
    for (ClassId type : unit.classes)
      classes_[project[type].name.value] = type;
  }

  void addUses(llvm::ArrayRef<Use> uses) {
    for (const Use &use : uses)
      if (use.kind == UseKind::Address || use.kind == UseKind::Variable)
        add(use.entity);
      else if (use.kind != UseKind::Layout)
        addVtable(use.entity);
  }

  void addFunction(const Function &function) {
    // They set the pointer to the vtable, so emitting one emits or wants the vtable.
    if (function.kind == FunctionKind::Constructor || function.kind == FunctionKind::Destructor)
      addVtable(function.ofClass);
    for (const Node &node : function.flow.nodes) {
      if (node.call.callee.isValid() && (isGenerous || node.call.kind == CallKind::Direct))
        add(node.call.callee);
      addUses(node.uses);
    }
  }

  /// Follows what was found inside the unit, then hands out the rest.
  std::vector<NameId> finish(const Names &names) {
    while (!pending_.empty()) {
      std::uint32_t name = pending_.pop_back_val();
      auto functions = functions_.find(name);
      if (functions != functions_.end())
        for (FunctionId function : functions->second)
          addFunction(project_[function]);
      auto variable = variables_.find(name);
      if (variable != variables_.end())
        addUses(project_[variable->second].uses);
    }
    // The order decides in which order archive members enter: it must not hang on the ids.
    llvm::sort(undefined_, [&](NameId a, NameId b) { return names.text(a) < names.text(b); });
    return std::move(undefined_);
  }

  void add(NameId name) {
    if (!seen_.insert(name.value).second)
      return;
    bool isEmitted = isEmittedHere(name);
    if (!isEmitted)
      undefined_.push_back(name);
    if (isEmitted || isGenerous) // what is inlined brings along what it names
      pending_.push_back(name.value);
  }

  bool isGenerous = false;

private:
  bool isEmittedHere(NameId name) const {
    auto functions = functions_.find(name.value);
    if (functions != functions_.end() && llvm::any_of(functions->second, [&](FunctionId id) {
          return !project_[id].isEmittedElsewhere;
        }))
      return true;
    auto variable = variables_.find(name.value);
    return variable != variables_.end() && !project_[variable->second].isEmittedElsewhere;
  }

  /// The vtable stands in the unit of the key function. Where a method has no body here we take the
  /// first such one for it: a reference to the vtable is a reference to that method. Else the
  /// vtable is made here and names all methods. A base's constructor names the base's vtable.
  void addVtable(NameId name) {
    auto found = classes_.find(name.value);
    if (found == classes_.end() || !seenClasses_.insert(name.value).second)
      return;
    const Class &type = project_[found->second];
    auto isElsewhere = [&](const VirtualMethod &method) {
      return !method.isPure && !isEmittedHere(method.name);
    };
    auto key = llvm::find_if(type.virtualMethods, isElsewhere);
    if (key != type.virtualMethods.end() && !isGenerous)
      return add(key->name);
    for (const VirtualMethod &method : type.virtualMethods)
      add(method.name);
    for (const BaseClass &base : type.bases)
      addVtable(base.name);
  }

  const Project &project_;
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<FunctionId, 1>> functions_;
  llvm::DenseMap<std::uint32_t, VariableId> variables_;
  llvm::DenseMap<std::uint32_t, ClassId> classes_;
  llvm::DenseSet<std::uint32_t> seen_;
  llvm::DenseSet<std::uint32_t> seenClasses_;
  llvm::SmallVector<std::uint32_t> pending_;
  std::vector<NameId> undefined_;
};

} // namespace

UnitReferences referencesOf(const Project &project, const ProjectUnit &unit, const Names &names) {
  UnitReferences result;
  Collector certain(project, unit);
  Collector possible(project, unit);
  possible.isGenerous = true;
  for (FunctionId id : unit.functions) {
    const Function &function = project[id];
    if (function.isEmittedElsewhere)
      continue;
    if (function.linkage != Linkage::Internal)
      result.defined.push_back(function.name);
    if (function.linkage == Linkage::Strong || id == unit.initialiser)
      certain.add(function.name);
    possible.add(function.name);
  }
  for (VariableId id : unit.variables) {
    const Variable &variable = project[id];
    if (variable.isExternal || variable.isEmittedElsewhere)
      continue;
    if (variable.linkage != Linkage::Internal)
      result.defined.push_back(variable.name);
    if (variable.linkage == Linkage::Strong)
      certain.add(variable.name);
    possible.add(variable.name);
  }
  result.certain = certain.finish(names);
  result.possible = possible.finish(names);
  return result;
}

} // namespace retest
