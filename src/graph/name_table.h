#pragma once

#include "graph/names.h"
#include "support/ids.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace retest {

struct UnitTag;
/// A unit of one project: its index in Project::units.
using UnitId = Id<UnitTag>;

/// What each name means in one program: the definition that the linker chooses, and every variant
/// with the units it comes from (DESIGN 2.4, rule 4: a change of any variant is a change of the
/// name, since which copy is kept, or was inlined, is for the tools to decide).
///
///     f() -> chosen #7; variants #7 in a.cpp, #7 in b.cpp, #9 in c.cpp
///
/// Two flat sorted arrays, because a project with 25 programs holds 70,000 rows.
template <class EntityId> struct NameTable {
  struct Variant {
    EntityId entity;
    UnitId unit;

    auto operator<=>(const Variant &) const = default;
  };
  struct Definition {
    NameId name;
    EntityId chosen;
    std::uint32_t begin = 0; ///< its rows in `variants`, in link order
    std::uint32_t end = 0;

    auto operator<=>(const Definition &) const = default;
  };

  std::vector<Definition> definitions; ///< sorted by name id
  std::vector<Variant> variants;

  const Definition *find(NameId name) const {
    auto found = llvm::lower_bound(definitions, name, [](const Definition &definition, NameId key) {
      return definition.name < key;
    });
    return found != definitions.end() && found->name == name ? &*found : nullptr;
  }

  llvm::ArrayRef<Variant> variantsOf(const Definition &definition) const {
    return llvm::ArrayRef(variants).slice(definition.begin, definition.end - definition.begin);
  }

  /// The unit whose definition the linker chooses; not valid if the name is not defined.
  UnitId homeOf(NameId name) const {
    if (const Definition *definition = find(name))
      for (const Variant &variant : variantsOf(*definition))
        if (variant.entity == definition->chosen)
          return variant.unit;
    return {};
  }

  /// The distinct entities of a name, the chosen one first; none if the name is not defined.
  llvm::SmallVector<EntityId, 2> entitiesOf(NameId name) const {
    llvm::SmallVector<EntityId, 2> entities;
    if (const Definition *definition = find(name)) {
      entities.push_back(definition->chosen);
      for (const Variant &variant : variantsOf(*definition))
        if (!llvm::is_contained(entities, variant.entity))
          entities.push_back(variant.entity);
    }
    return entities;
  }

  auto operator<=>(const NameTable &) const = default;
};

/// One definition that the linker sees, for makeNameTable.
template <class EntityId> struct NameRow {
  NameId name;
  EntityId entity;
  UnitId unit;
  std::uint32_t rank = 0;  ///< the lowest rank is chosen, the first one among equals
  std::uint32_t order = 0; ///< set by makeNameTable
};

/// REQUIRES: `rows` are in link order.
template <class EntityId> NameTable<EntityId> makeNameTable(std::vector<NameRow<EntityId>> rows) {
  for (std::uint32_t order = 0; order < rows.size(); ++order)
    rows[order].order = order;
  llvm::sort(rows, [](const auto &a, const auto &b) {
    return std::tie(a.name, a.order) < std::tie(b.name, b.order);
  });
  NameTable<EntityId> table;
  table.variants.reserve(rows.size());
  std::uint32_t bestRank = 0;
  for (const NameRow<EntityId> &row : rows) {
    std::uint32_t position = table.variants.size();
    table.variants.push_back({row.entity, row.unit});
    if (table.definitions.empty() || table.definitions.back().name != row.name) {
      table.definitions.push_back({row.name, row.entity, position, position});
      bestRank = row.rank;
    } else if (row.rank < bestRank) {
      table.definitions.back().chosen = row.entity;
      bestRank = row.rank;
    }
    table.definitions.back().end = position + 1;
  }
  return table;
}

} // namespace retest
