#include "diff/changed_entities.h"

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
                                 llvm::ArrayRef<UnitPair> units, llvm::ArrayRef<UnitPair> relinked,
                                 const Rules &rules)
    : baseline_(baseline), current_(current), rules_(rules) {
  compareClasses(units, relinked);
  if (rules(Rule::Variables))
    compareVariables(units, relinked);
  if (!rebased_.empty() && rules(Rule::DerivedHierarchies))
    addDerivedClasses();
  if (hasChangedUses() && rules(Rule::VariableClosure))
    addNamingVariables();
  if (!redispatched_.empty())
    redispatched_ = withDerived(baseline_, current_, std::move(redispatched_));
}

/// All definitions of one name in units that changed.
template <class Entity> struct ChangedEntities::Versions {
  std::vector<const Entity *> before, after;
  UnitId unit;
  bool isChanged = false; ///< not only relinked
};

/// By name over all units at once, so that an entity may move from one to the other.
template <class EntityId, class Entity>
std::map<ChangedEntities::Key, ChangedEntities::Versions<Entity>>
ChangedEntities::collect(std::vector<EntityId> ProjectUnit::*list, llvm::ArrayRef<UnitPair> units,
                         llvm::ArrayRef<UnitPair> relinked) const {
  std::map<Key, Versions<Entity>> found;
  auto add = [&](const Project &project, UnitId unit, UnitId owner, bool isChanged,
                 std::vector<const Entity *> Versions<Entity>::*side) {
    if (!unit.isValid())
      return;
    for (EntityId id : project[unit].*list) {
      const Entity &entity = project[id];
      bool isInternal = entity.linkage == Linkage::Internal;
      Versions<Entity> &versions =
          found[{isInternal ? owner.value : UnitId::kNone, entity.name.value}];
      (versions.*side).push_back(&entity);
      versions.unit = owner;
      versions.isChanged |= isChanged;
    }
  };
  for (bool isChanged : {true, false})
    for (UnitPair unit : isChanged ? units : relinked) {
      add(baseline_, unit.baseline, unit.baseline, isChanged, &Versions<Entity>::before);
      add(current_, unit.current, unit.baseline, isChanged, &Versions<Entity>::after);
    }
  return found;
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

void ChangedEntities::compareClasses(llvm::ArrayRef<UnitPair> units,
                                     llvm::ArrayRef<UnitPair> relinked) {
  auto found = collect<ClassId, Class>(&ProjectUnit::classes, units, relinked);
  for (const auto &[key, versions] : found) {
    NameId name{key.second};
    if (versions.before.empty() || versions.after.empty()) {
      redispatched_.push_back(name); // a class that one version has: for dispatch alone
      continue;
    }
    for (const Class *old : versions.before)
      for (const Class *now : versions.after) {
        std::uint8_t aspects = 0;
        if (old->layout != now->layout && rules_(Rule::Layouts))
          aspects |= kLayout;
        if (old->hierarchy != now->hierarchy) {
          rebased_.push_back(name);
          if (rules_(Rule::Hierarchies))
            aspects |= kHierarchy;
        }
        if (hasOtherDispatch(*old, *now))
          redispatched_.push_back(name);
        if (aspects != 0)
          add(old, now, versions.unit, aspects);
      }
  }
}

/// A variable that is defined for the first time, or no longer, is changed as well: others may have
/// declared it.
void ChangedEntities::compareVariables(llvm::ArrayRef<UnitPair> units,
                                       llvm::ArrayRef<UnitPair> relinked) {
  auto found = collect<VariableId, Variable>(&ProjectUnit::variables, units, relinked);
  auto fingerprints = [](const std::vector<const Variable *> &variables) {
    std::set<Fingerprint> all;
    for (const Variable *variable : variables)
      all.insert(variable->fingerprint);
    return all;
  };
  for (const auto &[key, versions] : found) {
    bool isInBoth = !versions.before.empty() && !versions.after.empty();
    if ((isInBoth || versions.isChanged) &&
        fingerprints(versions.before) != fingerprints(versions.after))
      add(versions.before.empty() ? nullptr : versions.before.front(),
          versions.after.empty() ? nullptr : versions.after.front(), versions.unit, kVariable);
  }
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
