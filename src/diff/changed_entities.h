#pragma once

#include "diff/changed_programs.h"
#include "diff/rules.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <optional>

namespace retest {

/// The classes and variables that changed, and with them every node that uses them.
///
/// A name of internal linkage means another thing in each unit and is kept with its unit. A
/// function that many units share is asked about all of them at once.
class ChangedEntities {
public:
  /// `units`: those that changed. `relinked`: those that enter or leave some binary:
  /// what they define counts if both versions have it, and otherwise is the linker's business.
  ChangedEntities(const Project &baseline, const Project &current, llvm::ArrayRef<UnitPair> units,
                  llvm::ArrayRef<ProgramPair> programs, llvm::ArrayRef<UnitPair> relinked,
                  const Rules &rules);

  /// The first use of something that changed. `unit`: the baseline's unit in which the using
  /// function stands; not valid if that may be several.
  std::optional<Use> changedUse(llvm::ArrayRef<Use> uses, UnitId unit) const;

  /// False if no use can have changed, so that no function needs to be looked at.
  bool hasChangedUses() const { return !inAnyUnit_.empty(); }

  /// Names of the changed variables that other units can name. Sorted.
  std::vector<NameId> changedVariables() const;

  /// Names of the classes that were added or removed or have other bases or virtual methods, and
  /// of all classes below them, in either version. Sorted.
  llvm::ArrayRef<NameId> redispatched() const { return redispatched_; }

  struct Place {
    SourcePosition where;
    bool isInBaseline = false;
  };
  /// Where a changed class or variable is defined now, or was, if it is gone.
  Place placeOf(NameId name) const { return places_.lookup(name.value); }

private:
  enum Aspect : std::uint8_t { kLayout = 1, kHierarchy = 2, kVariable = 4 };
  using Key = std::pair<std::uint32_t, std::uint32_t>; ///< baseline unit or none, name

  template <class Entity> struct Versions;
  using Unchanged = llvm::DenseSet<std::uint32_t>;
  Unchanged unchangedClasses(UnitPair unit, std::vector<ClassId> ProjectUnit::*list) const;
  Unchanged unchangedClasses(UnitPair, std::vector<VariableId> ProjectUnit::*) const { return {}; }
  template <class EntityId, class Entity>
  std::map<Key, Versions<Entity>> collect(std::vector<EntityId> ProjectUnit::*list,
                                          llvm::ArrayRef<UnitPair> units,
                                          llvm::ArrayRef<UnitPair> relinked) const;
  void compareClasses(llvm::ArrayRef<UnitPair> units, llvm::ArrayRef<UnitPair> relinked);
  void compareClass(NameId name, const Class &old, const Class &now, UnitId unit);
  void compareVariables(llvm::ArrayRef<UnitPair> units, llvm::ArrayRef<UnitPair> relinked);
  template <class Entity>
  void add(const Entity *baseline, const Entity *current, UnitId unit, std::uint8_t aspects);
  bool isLinkedAlike(NameId variable, bool hasMovedOnly) const;
  void addDerivedClasses();
  void addNamingVariables();
  std::uint8_t aspectsOf(NameId name, UnitId unit) const;
  bool isChanged(const Use &use, UnitId unit) const;

  const Project &baseline_, &current_;
  llvm::ArrayRef<ProgramPair> programs_; ///< that changed
  const Rules &rules_;
  llvm::DenseMap<Key, std::uint8_t> aspects_;
  llvm::DenseMap<std::uint32_t, std::uint8_t> inAnyUnit_;
  llvm::DenseMap<std::uint32_t, Place> places_;
  std::vector<NameId> rebased_; ///< classes with other bases
  std::vector<NameId> redispatched_;
};

} // namespace retest
