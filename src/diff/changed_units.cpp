#include "diff/changed_units.h"

#include "diff/matched_names.h"

#include <algorithm>

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

} // namespace

MatchedUnits matchUnits(const Project &baseline, const Project &current, const Names &names) {
  MatchedUnits units;
  units.counterparts.resize(baseline.units.size());
  units.isChanged.resize(baseline.units.size());
  UnitId old{0}, now{0};
  while (old.value < baseline.units.size() || now.value < current.units.size()) {
    bool hasOld = old.value < baseline.units.size(), hasNow = now.value < current.units.size();
    int order = !hasOld   ? 1
                : !hasNow ? -1
                : baseline[old].name == current[now].name
                    ? 0
                    : names.text(baseline[old].name).compare(names.text(current[now].name));
    if (order < 0)
      units.changed.push_back({old, {}});
    else if (order > 0)
      units.changed.push_back({{}, now});
    else if (baseline[old].fingerprint != current[now].fingerprint)
      units.changed.push_back({old, now});
    else
      units.counterparts[old.value] = now;
    old.value += order <= 0;
    now.value += order >= 0;
  }
  joinRenamed(units.changed, baseline, current, names);
  for (UnitPair pair : units.changed)
    if (pair.baseline.isValid()) {
      units.counterparts[pair.baseline.value] = pair.current;
      units.isChanged[pair.baseline.value] = true;
    }
  return units;
}

} // namespace retest
