#include "diff/comparison.h"

namespace retest {

Comparison::Comparison(const Project &baseline, const Project &current, const Names &names,
                       const Rules &rules)
    : Comparison(baseline, current, names, rules, matchUnits(baseline, current, names)) {}

Comparison::Comparison(const Project &baseline, const Project &current, const Names &names,
                       const Rules &rules, MatchedUnits matched)
    : baseline(baseline), current(current), names(names), rules(rules), units(matched.changed),
      programs(changedPrograms(baseline, current, matched)),
      entities(baseline, current, units, programs,
               relinkedUnits(baseline, current, matched, programs), rules),
      counterparts_(std::move(matched.counterparts)) {
  for (UnitPair pair : units)
    if (!pair.baseline.isValid())
      delta.addedUnits.push_back(current[pair.current].name);
    else if (!pair.current.isValid())
      delta.removedUnits.push_back(baseline[pair.baseline].name);
    else
      delta.changedUnits.push_back(current[pair.current].name);
  for (std::uint32_t index : programsOnlyIn(baseline, current)) {
    delta.removedPrograms.push_back(baseline.programs[index].name);
    bool canRun = baseline.programs[index].kind != ProgramKind::Archive;
    if (canRun && rules(Rule::RemovedPrograms))
      addProgram(index, {ChangeKind::ProgramGone, baseline.programs[index].name, {}, true, {}, {}});
  }
  for (std::uint32_t index : programsOnlyIn(current, baseline))
    delta.addedPrograms.push_back(current.programs[index].name);
}

bool Comparison::isReadable(UnitPair unit) const {
  return (!unit.baseline.isValid() || baseline[unit.baseline].isParsed) &&
         (!unit.current.isValid() || current[unit.current].isParsed);
}

bool isReadable(const Project &project, const ProgramGraph &program) {
  return program.unread.empty() && llvm::all_of(program.units, [&](const ProgramUnit &unit) {
           return project[unit.unit].isParsed;
         });
}

void Comparison::addEdge(DangerousEdge edge, std::uint32_t program) {
  Place place{edge.function.value, edge.place, edge.edge, edge.node, edge.receiver};
  Found &found = edges_.try_emplace(place, Found{std::move(edge), {}}).first->second;
  found.programs.insert(program);
}

void Comparison::addClassEntry(DangerousClassEntry entry, std::uint32_t program) {
  auto key = std::pair(entry.type, entry.method);
  classEntries_.try_emplace(key, std::move(entry), std::set<std::uint32_t>{})
      .first->second.second.insert(program);
}

void Comparison::addProgram(std::uint32_t program, Reason reason) {
  programs_.insert({program, reason});
}

void Comparison::addDoubt(std::string text, SourcePosition where) {
  delta.doubts.push_back({std::move(text), where});
}

void Comparison::noteMatched(std::uint32_t program, FunctionId function,
                             llvm::ArrayRef<NodePair> nodes) {
  std::set<NodeId> matched;
  for (NodePair pair : nodes)
    matched.insert(pair.baseline);
  // Compared with several variants, a node must have a counterpart in each.
  auto [known, isNew] = matched_.try_emplace({program, function}, matched);
  if (!isNew)
    std::erase_if(known->second, [&](NodeId node) { return !matched.contains(node); });
}

bool Comparison::isMatched(std::uint32_t program, FunctionId function, NodeId node) const {
  auto found = matched_.find({program, function});
  return found == matched_.end() || found->second.contains(node);
}

bool Comparison::isIn(const ProgramGraph &program, FunctionId function) const {
  if (baseline[function].linkage == Linkage::Weak)
    return llvm::is_contained(program.functions.entitiesOf(baseline[function].name), function);
  UnitId unit = baseline.functionUnits[function.value];
  return llvm::any_of(program.units, [&](const ProgramUnit &in) { return in.unit == unit; });
}

Delta Comparison::finish() {
  std::map<FunctionId, std::set<std::uint32_t>> programsWith;
  for (auto &[place, found] : edges_) {
    auto [with, isNew] = programsWith.try_emplace(found.edge.function);
    for (std::uint32_t index = 0; isNew && index < baseline.programs.size(); ++index)
      if (isIn(baseline.programs[index], found.edge.function))
        with->second.insert(index);
    if (found.programs != with->second)
      found.edge.programs.assign(found.programs.begin(), found.programs.end());
    delta.edges.push_back(std::move(found.edge));
  }
  for (auto &[key, found] : classEntries_) {
    found.first.programs.assign(found.second.begin(), found.second.end());
    delta.classEntries.push_back(std::move(found.first));
  }
  delta.programs.assign(programs_.begin(), programs_.end());
  llvm::sort(delta.edges);
  llvm::sort(delta.functions);
  llvm::sort(delta.doubts);
  delta.doubts.erase(std::unique(delta.doubts.begin(), delta.doubts.end()), delta.doubts.end());
  return std::move(delta);
}

} // namespace retest
