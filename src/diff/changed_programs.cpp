#include "diff/changed_programs.h"

#include <llvm/ADT/DenseMap.h>

#include <set>

namespace retest {
namespace {

llvm::DenseMap<std::uint32_t, std::uint32_t> programsByName(const Project &project) {
  llvm::DenseMap<std::uint32_t, std::uint32_t> programs;
  for (std::uint32_t index = 0; index < project.programs.size(); ++index)
    programs[project.programs[index].name.value] = index;
  return programs;
}

bool hasSameUnits(const ProgramGraph &before, const ProgramGraph &after,
                  const MatchedUnits &units) {
  return llvm::equal(before.units, after.units,
                     [&](const ProgramUnit &old, const ProgramUnit &now) {
                       return units.counterparts[old.unit.value] == now.unit &&
                              old.image == now.image && old.presence == now.presence;
                     });
}

} // namespace

std::vector<ProgramPair> changedPrograms(const Project &baseline, const Project &current,
                                         const MatchedUnits &units) {
  auto currentPrograms = programsByName(current);
  std::vector<ProgramPair> changed;
  for (std::uint32_t index = 0; index < baseline.programs.size(); ++index) {
    const ProgramGraph &before = baseline.programs[index];
    auto found = currentPrograms.find(before.name.value);
    if (found == currentPrograms.end())
      continue;
    const ProgramGraph &after = current.programs[found->second];
    bool isSame = hasSameUnits(before, after, units);
    bool hasChangedUnit = llvm::any_of(before.units, [&](const ProgramUnit &unit) {
      return bool(units.isChanged[unit.unit.value]);
    });
    bool isUnknown = !before.unread.empty() || !after.unread.empty();
    if (!isSame || hasChangedUnit || isUnknown || before.files != after.files)
      changed.push_back({index, found->second, isSame});
  }
  return changed;
}

std::vector<std::uint32_t> programsOnlyIn(const Project &has, const Project &lacks) {
  auto others = programsByName(lacks);
  std::vector<std::uint32_t> only;
  for (std::uint32_t index = 0; index < has.programs.size(); ++index)
    if (!others.contains(has.programs[index].name.value))
      only.push_back(index);
  return only;
}

std::vector<UnitPair> relinkedUnits(const Project &baseline, const Project &current,
                                    const MatchedUnits &units,
                                    llvm::ArrayRef<ProgramPair> programs) {
  std::set<UnitPair> relinked;
  for (ProgramPair pair : programs) {
    if (pair.hasSameUnits)
      continue;
    std::set<UnitId> before, after;
    for (UnitId unit : unitsOf(baseline.programs[pair.baseline]))
      before.insert(units.counterparts[unit.value]);
    for (UnitId unit : unitsOf(current.programs[pair.current]))
      after.insert(unit);
    for (UnitId unit : unitsOf(baseline.programs[pair.baseline]))
      if (!after.contains(units.counterparts[unit.value]))
        relinked.insert({unit, {}});
    for (UnitId unit : after)
      if (!before.contains(unit))
        relinked.insert({{}, unit});
  }
  return {relinked.begin(), relinked.end()};
}

} // namespace retest
