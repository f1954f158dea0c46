#include "diff/changed_entities.h"

#include "diff/matched_names.h"

#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <map>
#include <set>

namespace retest {
namespace {

bool hasOtherDispatch(const Class &old, const Class &now) {
  return old.dispatch != now.dispatch || old.hierarchy != now.hierarchy ||
         old.isAbstract != now.isAbstract;
}

/// The names of all classes below `roots`, with these, in two versions at once.
std::vector<NameId> withDerived(const Project &baseline, const Project &current,
                                std::vector<NameId> roots) {
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<NameId, 2>> derived;
  for (const Project *project : {&baseline, &current})
    for (const Class &type : project->classes)
      for (const BaseClass &base : type.bases)
        derived[base.name.value].push_back(type.name);
  llvm::DenseSet<std::uint32_t> seen;
  std::vector<NameId> found;
  while (!roots.empty()) {
    NameId name = roots.back();
    roots.pop_back();
    if (!seen.insert(name.value).second)
      continue;
    found.push_back(name);
    llvm::append_range(roots, derived.lookup(name.value));
  }
  llvm::sort(found);
  return found;
}

} // namespace

ChangedEntities::ChangedEntities(const Project &baseline, const Project &current,
                                 llvm::ArrayRef<UnitPair> units, const Names &names,
                                 const Rules &rules)
    : baseline_(baseline), current_(current), names_(names), rules_(rules) {
  for (UnitPair unit : units)
    compareClasses(unit);
  if (rules(Rule::Variables))
    compareVariables(units);
  if (!rebased_.empty() && rules(Rule::DerivedHierarchies))
    addDerivedClasses();
  if (hasChangedUses() && rules(Rule::VariableClosure))
    addNamingVariables();
  if (!redispatched_.empty())
    redispatched_ = withDerived(baseline_, current_, std::move(redispatched_));
}

template <class Entity>
void ChangedEntities::add(const Entity *baseline, const Entity *current, UnitId unit,
                          std::uint8_t aspects) {
  const Entity &known = baseline ? *baseline : *current;
  bool isInternal = (baseline && baseline->linkage == Linkage::Internal) ||
                    (current && current->linkage == Linkage::Internal);
  aspects_[{isInternal ? unit.value : UnitId::kNone, known.name.value}] |= aspects;
  inAnyUnit_[known.name.value] |= aspects;
  places_.try_emplace(known.name.value, current ? Place{current->where.begin, false}
                                                : Place{baseline->where.begin, true});
}

void ChangedEntities::compareClasses(UnitPair unit) {
  llvm::ArrayRef<ClassId> none;
  auto classes = [&](const Project &project, UnitId id) {
    return id.isValid() ? llvm::ArrayRef(project[id].classes) : none;
  };
  forEachName<ClassId>(
      baseline_, classes(baseline_, unit.baseline), current_, classes(current_, unit.current),
      names_, [&](llvm::ArrayRef<ClassId> old, llvm::ArrayRef<ClassId> now) {
        if (old.empty() || now.empty()) { // a class that one version has: for dispatch alone
          redispatched_.push_back(old.empty() ? current_[now[0]].name : baseline_[old[0]].name);
          return;
        }
        for (ClassId a : old)
          for (ClassId b : now) {
            const Class &before = baseline_[a], &after = current_[b];
            std::uint8_t aspects = 0;
            if (before.layout != after.layout && rules_(Rule::Layouts))
              aspects |= kLayout;
            if (before.hierarchy != after.hierarchy) {
              rebased_.push_back(before.name);
              if (rules_(Rule::Hierarchies))
                aspects |= kHierarchy;
            }
            if (hasOtherDispatch(before, after))
              redispatched_.push_back(before.name);
            if (aspects != 0)
              add(&before, &after, unit.baseline, aspects);
          }
      });
}

/// By name over all changed units, so that a variable may move from one to the other. One that is
/// defined for the first time, or no longer, is changed as well: others may have declared it.
void ChangedEntities::compareVariables(llvm::ArrayRef<UnitPair> units) {
  struct Versions {
    const Variable *baseline = nullptr, *current = nullptr;
    std::set<Fingerprint> before, after;
    UnitId unit;
  };
  std::map<Key, Versions> variables;
  auto keyOf = [](const Variable &variable, UnitId unit) {
    return Key{variable.linkage == Linkage::Internal ? unit.value : UnitId::kNone,
               variable.name.value};
  };
  for (UnitPair unit : units) {
    if (unit.baseline.isValid())
      for (VariableId id : baseline_[unit.baseline].variables) {
        Versions &found = variables[keyOf(baseline_[id], unit.baseline)];
        found.baseline = &baseline_[id];
        found.before.insert(baseline_[id].fingerprint);
        found.unit = unit.baseline;
      }
    if (unit.current.isValid())
      for (VariableId id : current_[unit.current].variables) {
        Versions &found = variables[keyOf(current_[id], unit.baseline)];
        found.current = &current_[id];
        found.after.insert(current_[id].fingerprint);
        found.unit = unit.baseline;
      }
  }
  for (const auto &[key, found] : variables)
    if (found.before != found.after)
      add(found.baseline, found.current, found.unit, kVariable);
}

void ChangedEntities::addDerivedClasses() {
  for (NameId name : withDerived(baseline_, current_, rebased_))
    for (std::uint32_t index = 0; index < baseline_.classes.size(); ++index)
      if (const Class &type = baseline_.classes[index];
          type.name == name && rules_(Rule::Hierarchies))
        add(&type, &type, baseline_.classUnits[index], kHierarchy);
}

/// A variable whose initialiser names something that changed holds something else.
void ChangedEntities::addNamingVariables() {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (std::uint32_t index = 0; index < baseline_.units.size(); ++index)
      for (VariableId id : baseline_.units[index].variables) {
        const Variable &variable = baseline_[id];
        UnitId unit{index};
        bool isInternal = variable.linkage == Linkage::Internal;
        if (!(aspectsOf(variable.name, isInternal ? unit : UnitId{}) & kVariable) &&
            changedUse(variable.uses, unit)) {
          add(&variable, &variable, unit, kVariable);
          isDone = false;
        }
      }
  }
}

std::uint8_t ChangedEntities::aspectsOf(NameId name, UnitId unit) const {
  std::uint8_t everywhere = aspects_.lookup({UnitId::kNone, name.value});
  return unit.isValid() ? everywhere | aspects_.lookup({unit.value, name.value})
                        : inAnyUnit_.lookup(name.value);
}

bool ChangedEntities::isChanged(const Use &use, UnitId unit) const {
  std::uint8_t aspects = aspectsOf(use.entity, unit);
  switch (use.kind) {
  case UseKind::Address:
    return false;
  case UseKind::Variable:
    return aspects & kVariable;
  case UseKind::Constructs:
    return aspects & (kLayout | kHierarchy);
  case UseKind::Layout:
    return aspects & kLayout;
  case UseKind::Hierarchy:
    return aspects & kHierarchy;
  }
  llvm_unreachable("all kinds are named");
}

std::optional<Use> ChangedEntities::changedUse(llvm::ArrayRef<Use> uses, UnitId unit) const {
  if (inAnyUnit_.empty())
    return std::nullopt;
  for (const Use &use : uses)
    if (isChanged(use, unit))
      return use;
  return std::nullopt;
}

} // namespace retest
