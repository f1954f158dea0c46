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
                                 llvm::ArrayRef<UnitPair> units,
                                 llvm::ArrayRef<ProgramPair> programs,
                                 llvm::ArrayRef<UnitPair> relinked, const Rules &rules)
    : baseline_(baseline), current_(current), programs_(programs), rules_(rules) {
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

/// All definitions of one name in units that changed or were relinked, unit by unit.
template <class Entity> struct ChangedEntities::Versions {
  struct InUnit {
    std::vector<const Entity *> before, after;

    bool isInBoth() const { return !before.empty() && !after.empty(); }
  };
  std::vector<InUnit> units;
  UnitId unit;
  bool isChanged = false; ///< not only relinked

  /// The definitions of one version in units where the other has none: they may have moved.
  std::vector<const Entity *> unpaired(std::vector<const Entity *> InUnit::*side) const {
    std::vector<const Entity *> found;
    for (const InUnit &in : units)
      if (!in.isInBoth())
        llvm::append_range(found, in.*side);
    return found;
  }
};

/// Classes of a unit, by name, that are there once in both versions and say the same: most of those
/// of a changed unit, and nothing follows from them.
ChangedEntities::Unchanged
ChangedEntities::unchangedClasses(UnitPair unit, std::vector<ClassId> ProjectUnit::*list) const {
  Unchanged unchanged;
  if (!unit.baseline.isValid() || !unit.current.isValid())
    return unchanged;
  llvm::DenseMap<std::uint32_t, const Class *> before; // null: several
  for (ClassId id : baseline_[unit.baseline].*list)
    if (auto [entry, isNew] = before.try_emplace(baseline_[id].name.value, &baseline_[id]); !isNew)
      entry->second = nullptr;
  for (ClassId id : current_[unit.current].*list) {
    const Class &now = current_[id];
    auto old = before.find(now.name.value);
    bool isSame = old != before.end() && old->second && old->second->linkage == now.linkage &&
                  old->second->layout == now.layout && old->second->dispatch == now.dispatch &&
                  old->second->hierarchy == now.hierarchy &&
                  old->second->isAbstract == now.isAbstract;
    if (isSame)
      unchanged.insert(now.name.value);
    else
      unchanged.erase(now.name.value);
    if (old != before.end())
      old->second = nullptr; // another one of this name would be one too many
  }
  return unchanged;
}

template <class EntityId, class Entity>
std::map<ChangedEntities::Key, ChangedEntities::Versions<Entity>>
ChangedEntities::collect(std::vector<EntityId> ProjectUnit::*list, llvm::ArrayRef<UnitPair> units,
                         llvm::ArrayRef<UnitPair> relinked) const {
  using InUnit = typename Versions<Entity>::InUnit;
  std::map<Key, Versions<Entity>> found;
  std::map<std::pair<Key, std::size_t>, std::size_t> places; // by name and pair of units
  std::size_t number = 0;
  auto add = [&](const Project &project, UnitId unit, UnitId owner, bool isChanged,
                 const Unchanged &unchanged, std::vector<const Entity *> InUnit::*side) {
    if (!unit.isValid())
      return;
    for (EntityId id : project[unit].*list) {
      const Entity &entity = project[id];
      if (unchanged.contains(entity.name.value))
        continue;
      bool isInternal = entity.linkage == Linkage::Internal;
      Key key{isInternal ? owner.value : UnitId::kNone, entity.name.value};
      Versions<Entity> &versions = found[key];
      auto [place, isNew] = places.try_emplace({key, number}, versions.units.size());
      if (isNew)
        versions.units.emplace_back();
      (versions.units[place->second].*side).push_back(&entity);
      versions.unit = owner;
      versions.isChanged |= isChanged;
    }
  };
  for (bool isChanged : {true, false})
    for (UnitPair unit : isChanged ? units : relinked) {
      Unchanged unchanged = unchangedClasses(unit, list);
      add(baseline_, unit.baseline, unit.baseline, isChanged, unchanged, &InUnit::before);
      add(current_, unit.current, unit.baseline, isChanged, unchanged, &InUnit::after);
      ++number;
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
  using InUnit = Versions<Class>::InUnit;
  for (const auto &[key, versions] : found) {
    NameId name{key.second};
    auto compareAll = [&, unit = versions.unit](const std::vector<const Class *> &before,
                                                const std::vector<const Class *> &after) {
      for (const Class *old : before)
        for (const Class *now : after)
          compareClass(name, *old, *now, unit);
    };
    for (const InUnit &in : versions.units)
      compareAll(in.before, in.after);
    auto left = versions.unpaired(&InUnit::before), come = versions.unpaired(&InUnit::after);
    compareAll(left, come);
    if (left.empty() != come.empty())
      redispatched_.push_back(name); // a class that one version has: for dispatch alone
  }
}

void ChangedEntities::compareClass(NameId name, const Class &old, const Class &now, UnitId unit) {
  std::uint8_t aspects = 0;
  if (old.layout != now.layout && rules_(Rule::Layouts))
    aspects |= kLayout;
  if (old.hierarchy != now.hierarchy) {
    rebased_.push_back(name);
    if (rules_(Rule::Hierarchies))
      aspects |= kHierarchy;
  }
  if (hasOtherDispatch(old, now))
    redispatched_.push_back(name);
  if (aspects != 0)
    add(&old, &now, unit, aspects);
}

/// Whether each program has the same definitions of a variable in both versions, and takes the
/// same: that a unit more, or less, has a copy is no change then.
bool ChangedEntities::isLinkedAlike(NameId variable, bool hasMovedOnly) const {
  auto fingerprints = [&](const Project &project, std::uint32_t program) {
    std::pair<Fingerprint, std::set<Fingerprint>> chosenAndAll;
    auto entities = project.programs[program].variables.entitiesOf(variable);
    for (VariableId id : entities)
      chosenAndAll.second.insert(project[id].fingerprint);
    if (!entities.empty())
      chosenAndAll.first = project[entities.front()].fingerprint;
    return chosenAndAll;
  };
  return llvm::all_of(programs_, [&](ProgramPair pair) {
    if (hasMovedOnly && !pair.hasSameUnits)
      return true; // compareDefinitions looks at what such a program takes
    return fingerprints(baseline_, pair.baseline) == fingerprints(current_, pair.current);
  });
}

/// A variable that is defined for the first time, or no longer, is changed as well: others may have
/// declared it.
void ChangedEntities::compareVariables(llvm::ArrayRef<UnitPair> units,
                                       llvm::ArrayRef<UnitPair> relinked) {
  auto found = collect<VariableId, Variable>(&ProjectUnit::variables, units, relinked);
  using InUnit = Versions<Variable>::InUnit;
  auto fingerprints = [](const std::vector<const Variable *> &variables) {
    std::set<Fingerprint> all;
    for (const Variable *variable : variables)
      all.insert(variable->fingerprint);
    return all;
  };
  auto mark = [&](const InUnit &in, UnitId unit) {
    add(in.before.empty() ? nullptr : in.before.front(),
        in.after.empty() ? nullptr : in.after.front(), unit, kVariable);
  };
  for (const auto &[key, versions] : found) {
    bool isPaired = false;
    for (const InUnit &in : versions.units) {
      isPaired |= in.isInBoth();
      if (in.isInBoth() && fingerprints(in.before) != fingerprints(in.after))
        mark(in, versions.unit);
    }
    InUnit moved{versions.unpaired(&InUnit::before), versions.unpaired(&InUnit::after)};
    if (moved.before.empty() && moved.after.empty())
      continue;
    bool isInternal = key.first != UnitId::kNone;
    bool hasMovedOnly = fingerprints(moved.before) == fingerprints(moved.after);
    bool isSame = isInternal ? hasMovedOnly : isLinkedAlike(NameId{key.second}, hasMovedOnly);
    if (!isSame && (moved.isInBoth() || isPaired || versions.isChanged))
      mark(moved, versions.unit);
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

std::vector<NameId> ChangedEntities::changedVariables() const {
  std::vector<NameId> found;
  for (const auto &[key, aspects] : aspects_)
    if (key.first == UnitId::kNone && (aspects & kVariable))
      found.push_back(NameId{key.second});
  llvm::sort(found);
  return found;
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
