#include "graph/virtual_calls.h"

namespace retest {

VirtualCalls::VirtualCalls(const Project &project, const ProgramGraph &program, const Names &names)
    : project_(project), program_(program), names_(names), classes_(classesOf(project, program)) {
  for (ClassId type : classes_) {
    for (const BaseClass &base : project[type].bases)
      for (ClassId meaning : basesNamed(base.name, type)) {
        links_[type.value].bases.push_back({meaning, base.isVirtual});
        links_[meaning.value].derived.push_back(type);
      }
    for (const VirtualMethod &method : project[type].virtualMethods)
      for (NameId overridden : method.overrides) {
        auto &known = overriddenBy_[overridden.value];
        if (!llvm::is_contained(known, method.name))
          known.push_back(method.name);
      }
  }
  for (FunctionId function : retest::functionsOf(project, program))
    if (project[function].kind == FunctionKind::Destructor)
      destructors_[project[function].ofClass.value] = project[function].name;
}

llvm::SmallVector<ClassId, 2> VirtualCalls::meaningsOf(NameId name, UnitId unit) const {
  if (unit.isValid()) {
    auto internal = project_[unit].internalClasses.entitiesOf(name);
    if (!internal.empty())
      return internal;
  }
  return program_.classes.entitiesOf(name);
}

/// A class that is seen everywhere may still have a base that only its units know.
llvm::SmallVector<ClassId, 2> VirtualCalls::basesNamed(NameId name, ClassId derived) const {
  auto meanings = meaningsOf(name, project_.classUnits[derived.value]);
  llvm::erase(meanings, derived);
  return meanings;
}

llvm::ArrayRef<HierarchyBase> VirtualCalls::basesOf(ClassId type) const {
  auto found = links_.find(type.value);
  return found == links_.end() ? llvm::ArrayRef<HierarchyBase>() : found->second.bases;
}

llvm::ArrayRef<ClassId> VirtualCalls::derivedFrom(ClassId type) const {
  auto found = links_.find(type.value);
  return found == links_.end() ? llvm::ArrayRef<ClassId>() : found->second.derived;
}

std::vector<ClassId> VirtualCalls::withDerived(llvm::ArrayRef<ClassId> roots) const {
  std::vector<ClassId> found;
  llvm::DenseSet<std::uint32_t> seen;
  auto add = [&](ClassId type) {
    if (seen.insert(type.value).second)
      found.push_back(type);
  };
  llvm::for_each(roots, add);
  for (std::size_t index = 0; index < found.size(); ++index)
    for (ClassId derived : derivedFrom(found[index]))
      add(derived);
  return found;
}

VirtualCalls::Family &VirtualCalls::familyOf(NameId method) {
  auto &family = families_[method.value];
  if (family)
    return *family;
  family = std::make_unique<Family>();
  family->isOfDestructor = names_.text(method).contains("::~");
  llvm::SmallVector<NameId> pending = {method};
  family->methods.insert(method.value);
  while (!pending.empty()) {
    auto overriders = overriddenBy_.find(pending.pop_back_val().value);
    if (overriders == overriddenBy_.end())
      continue;
    for (NameId overrider : overriders->second)
      if (family->methods.insert(overrider.value).second)
        pending.push_back(overrider);
  }
  return *family;
}

llvm::ArrayRef<Overrider> VirtualCalls::finalOverriders(ClassId type, NameId method) {
  // Bases first, on a stack of our own: a chain of derived classes may be thousands deep.
  Family &family = familyOf(method);
  llvm::SmallVector<ClassId> pending = {type};
  llvm::DenseSet<std::uint32_t> opened; // malformed input may have a cycle
  while (!pending.empty()) {
    ClassId next = pending.back();
    if (family.overriders.contains(next.value)) {
      pending.pop_back();
      continue;
    }
    bool isReady = true;
    if (opened.insert(next.value).second)
      for (HierarchyBase base : basesOf(next))
        if (!family.overriders.contains(base.base.value) && !opened.contains(base.base.value)) {
          pending.push_back(base.base);
          isReady = false;
        }
    if (isReady) {
      pending.pop_back();
      auto overriders = computeOverriders(next, family);
      family.overriders[next.value] = std::move(overriders);
    }
  }
  return family.overriders.find(type.value)->second;
}

llvm::SmallVector<Overrider, 1> VirtualCalls::computeOverriders(ClassId type, Family &family) {
  llvm::SmallVector<Overrider, 1> overriders;
  for (const VirtualMethod &method : project_[type].virtualMethods)
    if (family.methods.contains(method.name.value))
      overriders.push_back({method.name, type, method.isPure});
  if (!overriders.empty())
    return overriders;
  auto destructor =
      family.isOfDestructor ? destructors_.find(project_[type].name.value) : destructors_.end();
  if (destructor != destructors_.end())
    return {{destructor->second, type}};
  for (HierarchyBase base : basesOf(type))
    for (const Overrider &inherited : family.overriders.lookup(base.base.value))
      if (!llvm::is_contained(overriders, inherited))
        overriders.push_back(inherited);
  if (overriders.size() > 1)
    dropDominated(type, overriders);
  return overriders;
}

/// The number of subobjects of class `base` in an object of class `type`, up to two; a virtual base
/// is one subobject for all who share it. Where the hierarchy is deeper than any
/// real one (variants of classes can even form a cycle) the answer is "several", which drops
/// nothing.
static int subobjects(const VirtualCalls &hierarchy, ClassId type, ClassId base,
                      llvm::DenseSet<std::uint32_t> &seenVirtual, int depth = 0) {
  if (type == base)
    return 1;
  if (depth > 200)
    return 2;
  int count = 0;
  for (HierarchyBase link : hierarchy.basesOf(type)) {
    if (link.isVirtual && !seenVirtual.insert(link.base.value).second)
      continue;
    count += subobjects(hierarchy, link.base, base, seenVirtual, depth + 1);
    if (count >= 2)
      break;
  }
  return count;
}

static bool isBaseOf(const VirtualCalls &hierarchy, ClassId base, ClassId derived) {
  llvm::DenseSet<std::uint32_t> seen;
  llvm::SmallVector<ClassId> pending = {derived};
  while (!pending.empty())
    for (HierarchyBase link : hierarchy.basesOf(pending.pop_back_val())) {
      if (link.base == base)
        return true;
      if (seen.insert(link.base.value).second)
        pending.push_back(link.base);
    }
  return false;
}

/// In a diamond with a virtual base the overrider of one arm hides the method of the base on the
/// other arm, because both arms share that subobject.
void VirtualCalls::dropDominated(ClassId type, llvm::SmallVectorImpl<Overrider> &overriders) const {
  llvm::SmallVector<Overrider, 4> all(overriders.begin(), overriders.end());
  llvm::erase_if(overriders, [&](const Overrider &candidate) {
    bool isOverridden = llvm::any_of(all, [&](const Overrider &other) {
      return other.declaredIn != candidate.declaredIn &&
             isBaseOf(*this, candidate.declaredIn, other.declaredIn);
    });
    llvm::DenseSet<std::uint32_t> seenVirtual;
    return isOverridden && subobjects(*this, type, candidate.declaredIn, seenVirtual) == 1;
  });
}

llvm::SmallVector<FunctionId, 2> VirtualCalls::functionsOf(const Overrider &overrider) const {
  return retest::meaningsOf(project_, program_, overrider.method,
                            {project_.classUnits[overrider.declaredIn.value]});
}

void VirtualCalls::addEdges(ClassId type, NameId method, Dispatch &dispatch) {
  bool isAbstract = project_[type].isAbstract;
  llvm::SmallVector<Overrider, 2> overriders(finalOverriders(type, method));
  if (overriders.empty()) // declared in a class that no unit shows: the call itself names it
    overriders.push_back({method, type});
  for (const Overrider &overrider : overriders) {
    auto targets = functionsOf(overrider);
    if (targets.empty())
      targets.push_back({});
    for (FunctionId target : targets)
      dispatch.edges.push_back({type, overrider.method, target, isAbstract});
  }
}

const Dispatch &VirtualCalls::dispatch(NameId receiver, NameId method, UnitId unit) {
  bool isInternal = unit.isValid() && project_[unit].internalClasses.find(receiver);
  Key key{receiver.value, method.value, isInternal ? unit.value : UnitId::kNone};
  auto &known = dispatches_[key];
  if (known)
    return *known;
  auto result = std::make_unique<Dispatch>(Dispatch{receiver, method, {}});
  for (ClassId type : withDerived(meaningsOf(receiver, unit)))
    addEdges(type, method, *result);

  // Variants of one class lead to the same place more often than not: one edge is enough.
  auto keyOf = [&](const DispatchEdge &edge) {
    const Class &type = project_[edge.receiver];
    UnitId owner =
        type.linkage == Linkage::Internal ? project_.classUnits[edge.receiver.value] : UnitId{};
    return std::tuple(names_.text(type.name), owner, names_.text(edge.method), edge.target);
  };
  llvm::sort(result->edges, [&](const auto &a, const auto &b) {
    return std::tuple_cat(keyOf(a), std::tuple(a.isOnlyDuringConstruction, a.receiver)) <
           std::tuple_cat(keyOf(b), std::tuple(b.isOnlyDuringConstruction, b.receiver));
  });
  auto isSame = [&](const auto &a, const auto &b) { return keyOf(a) == keyOf(b); };
  result->edges.erase(std::unique(result->edges.begin(), result->edges.end(), isSame),
                      result->edges.end());
  known = std::move(result);
  return *known;
}

} // namespace retest
