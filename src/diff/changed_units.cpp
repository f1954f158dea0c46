#include "diff/changed_units.h"

#include "diff/matched_names.h"

#include <algorithm>
#include <map>
#include <set>

namespace retest {
namespace {

/// The functions that are this unit's alone, not those of the headers it includes.
std::vector<FunctionId> ownFunctions(const Project &project, UnitId unit) {
  std::vector<FunctionId> own;
  llvm::copy_if(project[unit].functions, std::back_inserter(own),
                [&](FunctionId id) { return project[id].linkage != Linkage::Weak; });
  return own;
}

/// How many functions two units have in common, of those that the smaller one has.
double likeness(const Project &baseline, UnitId old, const Project &current, UnitId now,
                const Names &names) {
  std::vector<FunctionId> before = ownFunctions(baseline, old);
  std::vector<FunctionId> after = ownFunctions(current, now);
  std::size_t shared = 0, smaller = std::min(before.size(), after.size());
  forEachName<FunctionId>(baseline, before, current, after, names,
                          [&](llvm::ArrayRef<FunctionId> a, llvm::ArrayRef<FunctionId> b) {
                            shared += std::min(a.size(), b.size());
                          });
  return smaller == 0 ? 0 : double(shared) / double(smaller);
}

/// Joins the halves of renamed units, the likest first for each removed one.
void joinRenamed(std::vector<UnitPair> &pairs, const Project &baseline, const Project &current,
                 const Names &names) {
  constexpr double kEnough = 0.5;
  for (UnitPair &removed : pairs) {
    if (removed.current.isValid())
      continue;
    UnitPair *best = nullptr;
    double bestLikeness = kEnough;
    for (UnitPair &added : pairs) {
      if (added.baseline.isValid() || !added.current.isValid())
        continue;
      double found = likeness(baseline, removed.baseline, current, added.current, names);
      if (found > bestLikeness) {
        best = &added;
        bestLikeness = found;
      }
    }
    if (best)
      removed.current = std::exchange(best->current, {});
  }
  llvm::erase(pairs, UnitPair{});
}

/// Names of the units of each program.
std::map<NameId, std::set<NameId>> membersOf(const Project &project) {
  std::map<NameId, std::set<NameId>> members;
  for (const ProgramGraph &program : project.programs)
    for (const ProgramUnit &unit : program.units)
      members[program.name].insert(project[unit.unit].name);
  return members;
}

/// The units of `has` that are in a program which both versions have, but only here.
std::set<NameId> onlyIn(const std::map<NameId, std::set<NameId>> &has,
                        const std::map<NameId, std::set<NameId>> &lacks) {
  std::set<NameId> only;
  for (const auto &[program, units] : has)
    if (auto other = lacks.find(program); other != lacks.end())
      std::set_difference(units.begin(), units.end(), other->second.begin(), other->second.end(),
                          std::inserter(only, only.end()));
  return only;
}

} // namespace

std::vector<UnitPair> relinkedUnits(const Project &baseline, const Project &current) {
  auto before = membersOf(baseline), after = membersOf(current);
  std::vector<UnitPair> pairs;
  if (before == after)
    return pairs;
  std::set<NameId> left = onlyIn(before, after), entered = onlyIn(after, before);
  for (std::uint32_t unit = 0; unit < baseline.units.size(); ++unit)
    if (left.contains(baseline.units[unit].name))
      pairs.push_back({{unit}, {}});
  for (std::uint32_t unit = 0; unit < current.units.size(); ++unit)
    if (entered.contains(current.units[unit].name))
      pairs.push_back({{}, {unit}});
  return pairs;
}

std::vector<UnitPair> changedUnits(const Project &baseline, const Project &current,
                                   const Names &names) {
  std::vector<UnitPair> changed;
  UnitId old{0}, now{0};
  while (old.value < baseline.units.size() || now.value < current.units.size()) {
    bool hasOld = old.value < baseline.units.size(), hasNow = now.value < current.units.size();
    int order = !hasOld   ? 1
                : !hasNow ? -1
                          : names.text(baseline[old].name).compare(names.text(current[now].name));
    if (order < 0)
      changed.push_back({old, {}});
    else if (order > 0)
      changed.push_back({{}, now});
    else if (baseline[old].fingerprint != current[now].fingerprint)
      changed.push_back({old, now});
    old.value += order <= 0;
    now.value += order >= 0;
  }
  joinRenamed(changed, baseline, current, names);
  return changed;
}

} // namespace retest
