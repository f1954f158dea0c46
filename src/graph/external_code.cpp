#include "graph/external_code.h"

namespace retest {
namespace {

/// The virtual methods of all external classes above `type`.
llvm::SmallVector<NameId> externalMethodsAbove(const Project &project,
                                               const VirtualCalls &virtualCalls, ClassId type) {
  llvm::SmallVector<NameId> methods;
  llvm::SmallVector<ClassId> pending = {type};
  llvm::DenseSet<std::uint32_t> seen;
  while (!pending.empty())
    for (HierarchyBase link : virtualCalls.basesOf(pending.pop_back_val())) {
      if (!seen.insert(link.base.value).second)
        continue;
      pending.push_back(link.base);
      if (project[link.base].isExternal)
        for (const VirtualMethod &method : project[link.base].virtualMethods)
          if (!llvm::is_contained(methods, method.name))
            methods.push_back(method.name);
    }
  return methods;
}

ClassEntry entryOf(const Project &project, VirtualCalls &virtualCalls, ClassId type,
                   llvm::ArrayRef<NameId> methods, const Names &names) {
  ClassEntry entry{type, {}};
  for (NameId method : methods) {
    llvm::SmallVector<Overrider, 2> overriders(virtualCalls.finalOverriders(type, method));
    for (const Overrider &overrider : overriders) {
      if (project[overrider.declaredIn].isExternal)
        continue; // stays outside: the default edge
      auto targets = virtualCalls.functionsOf(overrider);
      if (targets.empty())
        targets.push_back({});
      for (FunctionId target : targets)
        entry.edges.push_back({method, overrider.method, target});
    }
  }
  llvm::sort(entry.edges, [&](const ClassEntryEdge &a, const ClassEntryEdge &b) {
    return std::tuple(names.text(a.method), names.text(a.overrider), a.target) <
           std::tuple(names.text(b.method), names.text(b.overrider), b.target);
  });
  return entry;
}

/// `&A::m` of a virtual m is a call of whatever overrides it (DESIGN 2.4, rule 8).
class Callbacks {
public:
  Callbacks(const Project &project, const ProgramGraph &program, VirtualCalls &virtualCalls)
      : project_(project), program_(program), virtualCalls_(virtualCalls) {
    for (ClassId type : virtualCalls.classes())
      for (const VirtualMethod &method : project[type].virtualMethods)
        declaredIn_[method.name.value].push_back(type);
  }

  void add(llvm::ArrayRef<Use> uses, UnitId unit) {
    for (const Use &use : uses)
      if (use.kind == UseKind::Address)
        add(use.entity, unit);
  }

  std::vector<FunctionId> finish() {
    llvm::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

private:
  void add(NameId name, UnitId unit) {
    bool isInternal = project_[unit].internalFunctions.find(name) != nullptr;
    if (!seen_.insert({name.value, isInternal ? unit.value : UnitId::kNone}).second)
      return;
    auto meanings = meaningsOf(project_, program_, name, {unit});
    found_.insert(found_.end(), meanings.begin(), meanings.end());
    auto declared = declaredIn_.find(name.value);
    if (declared == declaredIn_.end())
      return;
    for (ClassId type : declared->second)
      for (const DispatchEdge &edge :
           virtualCalls_.dispatch(project_[type].name, name, project_.classUnits[type.value]).edges)
        if (edge.target.isValid())
          found_.push_back(edge.target);
  }

  const Project &project_;
  const ProgramGraph &program_;
  VirtualCalls &virtualCalls_;
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<ClassId, 1>> declaredIn_;
  llvm::DenseSet<std::pair<std::uint32_t, std::uint32_t>> seen_;
  std::vector<FunctionId> found_;
};

} // namespace

ExternalCode externalCode(const Project &project, const ProgramGraph &program,
                          VirtualCalls &virtualCalls, const Names &names) {
  ExternalCode external;
  for (ClassId type : virtualCalls.classes()) {
    if (project[type].isExternal)
      continue;
    auto methods = externalMethodsAbove(project, virtualCalls, type);
    if (!methods.empty())
      external.entries.push_back(entryOf(project, virtualCalls, type, methods, names));
  }
  llvm::sort(external.entries, [&](const ClassEntry &a, const ClassEntry &b) {
    return std::tuple(names.text(project[a.ofClass].name), a.ofClass) <
           std::tuple(names.text(project[b.ofClass].name), b.ofClass);
  });

  Callbacks callbacks(project, program, virtualCalls);
  for (UnitId unit : unitsOf(program)) {
    for (FunctionId function : project[unit].functions)
      for (const Node &node : project[function].flow.nodes)
        callbacks.add(node.uses, unit);
    for (VariableId variable : project[unit].variables)
      callbacks.add(project[variable].uses, unit);
  }
  external.callbacks = callbacks.finish();
  return external;
}

std::vector<Root> rootsOf(const Project &project, const ProgramGraph &program, const Names &names) {
  std::vector<Root> roots;
  for (UnitId unit : unitsOf(program))
    if (project[unit].initialiser.isValid())
      roots.push_back({RootKind::Initialiser, project[unit].initialiser});
  for (UnitId unit : unitsOf(program))
    for (FunctionId function : project[unit].functions)
      if (isMain(project[function], names))
        roots.push_back({RootKind::Main, function});
  roots.push_back({RootKind::ExternalCode, {}});
  return roots;
}

} // namespace retest
