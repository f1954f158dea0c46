#include "diff/changed_units.h"

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <set>

namespace retest {
namespace {

/// The names of functions that are this unit's alone, not those of the headers it includes.
std::vector<NameId> ownNames(const Project &project, UnitId unit) {
  std::vector<NameId> own;
  std::set<NameId> files; // `static` functions in headers are internal as well
  for (FunctionId id : project[unit].functions)
    if (project[id].linkage == Linkage::Strong)
      files.insert(project[id].where.begin.file);
  for (FunctionId id : project[unit].functions)
    if (project[id].linkage == Linkage::Strong ||
        (project[id].linkage == Linkage::Internal && files.contains(project[id].where.begin.file)))
      own.push_back(project[id].name);
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return own;
}

/// Names of the programs that contain a unit, for all units.
using ProgramsOfUnits = llvm::DenseMap<std::uint32_t, std::set<NameId>>;
ProgramsOfUnits programsOfUnits(const Project &project) {
  ProgramsOfUnits programs;
  for (const ProgramGraph &program : project.programs)
    for (const ProgramUnit &unit : program.units)
      programs[unit.unit.value].insert(program.name);
  return programs;
}

/// Finds for units that are gone those that came in their place: a file was renamed, or is now
/// compiled once for each program.
class RenamedUnits {
public:
  RenamedUnits(std::vector<UnitPair> &pairs, const Project &baseline, const Project &current)
      : pairs_(pairs), baseline_(baseline), current_(current) {
    for (std::uint32_t index = 0; index < pairs.size(); ++index)
      if (!pairs[index].baseline.isValid()) {
        std::vector<NameId> own = ownNames(current, pairs[index].current);
        ownCounts_[index] = own.size();
        for (NameId name : own)
          addedWith_[name.value].push_back(index);
      }
  }

  /// The likest one first, for each unit that is gone.
  void join() {
    if (addedWith_.empty())
      return;
    programsBefore_ = programsOfUnits(baseline_);
    programsAfter_ = programsOfUnits(current_);
    for (UnitPair &pair : pairs_)
      if (pair.baseline.isValid() && !pair.current.isValid())
        if (UnitPair *best = likest(pair.baseline))
          pair.current = std::exchange(best->current, {});
    llvm::erase(pairs_, UnitPair{});
  }

private:
  UnitPair *likest(UnitId removed) {
    constexpr double kEnough = 0.5;
    std::vector<NameId> own = ownNames(baseline_, removed);
    std::map<std::uint32_t, std::size_t> shared; // names, by index in pairs_
    for (NameId name : own)
      for (std::uint32_t index : addedWith_.lookup(name.value))
        ++shared[index];
    UnitPair *best = nullptr;
    std::pair<double, bool> bestLikeness{kEnough, true};
    for (auto [index, count] : shared) {
      UnitPair &added = pairs_[index];
      if (!added.current.isValid())
        continue; // taken by another
      double part = double(count) / double(std::min(own.size(), ownCounts_.lookup(index)));
      std::pair likeness(part, isInSameProgram(removed, added.current));
      if (likeness > bestLikeness) {
        best = &added;
        bestLikeness = likeness;
      }
    }
    return best;
  }

  bool isInSameProgram(UnitId old, UnitId now) const {
    auto before = programsBefore_.find(old.value), after = programsAfter_.find(now.value);
    return before != programsBefore_.end() && after != programsAfter_.end() &&
           llvm::any_of(before->second, [&](NameId name) { return after->second.contains(name); });
  }

  std::vector<UnitPair> &pairs_;
  const Project &baseline_, &current_;
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<std::uint32_t, 1>> addedWith_; ///< by name
  llvm::DenseMap<std::uint32_t, std::size_t> ownCounts_;
  ProgramsOfUnits programsBefore_, programsAfter_;
};

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
  RenamedUnits(units.changed, baseline, current).join();
  for (UnitPair pair : units.changed)
    if (pair.baseline.isValid()) {
      units.counterparts[pair.baseline.value] = pair.current;
      units.isChanged[pair.baseline.value] = true;
    }
  return units;
}

} // namespace retest
