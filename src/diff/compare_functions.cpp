#include "diff/comparison.h"
#include "diff/internal_names.h"
#include "diff/matched_names.h"
#include "diff/reasons.h"
#include "diff/unit_reason.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// A name of which a unit has another version now, or whose code uses something that changed.
struct TouchedName {
  NameId name;
  UnitPair unit; ///< where it was seen; decides what an internal name means
  bool isInternal = false;

  auto operator<=>(const TouchedName &) const = default;
};

using Functions = llvm::SmallVector<FunctionId, 2>;

/// All that must be equal for a function to count as the same.
using State = std::tuple<Fingerprint, Fingerprint, Linkage>;
State stateOf(const Function &function) {
  return {function.fingerprint, function.compiledOut, function.linkage};
}

llvm::ArrayRef<FunctionId> functionsIn(const Project &project, UnitId unit) {
  return unit.isValid() ? llvm::ArrayRef(project[unit].functions) : llvm::ArrayRef<FunctionId>();
}

FunctionId initialiserOf(const Project &project, UnitId unit) {
  return unit.isValid() ? project[unit].initialiser : FunctionId{};
}

bool hasInternal(const Project &project, llvm::ArrayRef<FunctionId> functions) {
  return llvm::any_of(functions,
                      [&](FunctionId id) { return project[id].linkage == Linkage::Internal; });
}

/// The only unit that holds the function; not valid for inline functions.
UnitId soleUnitOf(const Project &project, FunctionId id) {
  return project[id].linkage == Linkage::Weak ? UnitId{} : project.functionUnits[id.value];
}

/// Assembly and the like at file scope: nobody calls it, and all may depend on it.
bool isOutsideFunctions(const Function &function) {
  return function.kind == FunctionKind::Initialiser && !function.unmodelled.empty();
}

class FunctionComparison {
public:
  explicit FunctionComparison(Comparison &comparison)
      : comparison_(comparison), baseline_(comparison.baseline), current_(comparison.current) {}

  void run() {
    for (UnitPair unit : comparison_.units)
      if (comparison_.isReadable(unit))
        touchDifferingNames(unit);
    if (comparison_.entities.hasChangedUses())
      touchUsers();
    for (ProgramPair pair : comparison_.programs)
      compareProgram(pair);
    summarise();
  }

private:
  void touchDifferingNames(UnitPair unit) {
    // The initialiser of the unit as a whole is compared with the other link inputs.
    FunctionId initialiserBefore = initialiserOf(baseline_, unit.baseline);
    FunctionId initialiserAfter = initialiserOf(current_, unit.current);
    forEachName<FunctionId>(
        baseline_, functionsIn(baseline_, unit.baseline), current_,
        functionsIn(current_, unit.current), comparison_.names,
        [&](llvm::ArrayRef<FunctionId> old, llvm::ArrayRef<FunctionId> now) {
          bool isSame = llvm::equal(old, now, [&](FunctionId a, FunctionId b) {
            return stateOf(baseline_[a]) == stateOf(current_[b]);
          });
          if (isSame || llvm::is_contained(old, initialiserBefore) ||
              llvm::is_contained(now, initialiserAfter))
            return;
          NameId name = old.empty() ? current_[now[0]].name : baseline_[old[0]].name;
          touched_.push_back(
              {name, unit, hasInternal(baseline_, old) || hasInternal(current_, now)});
        });
  }

  /// Code that did not change itself, but uses something that did.
  void touchUsers() {
    for (std::uint32_t index = 0; index < baseline_.units.size(); ++index)
      for (FunctionId id : baseline_.units[index].functions) {
        const Function &function = baseline_[id];
        bool isUser = llvm::any_of(function.flow.nodes, [&](const Node &node) {
          return comparison_.entities.changedUse(node.uses, soleUnitOf(baseline_, id)).has_value();
        });
        if (isUser)
          touched_.push_back({function.name,
                              {{index}, comparison_.counterpart({index})},
                              function.linkage == Linkage::Internal});
      }
  }

  void compareProgram(ProgramPair pair) {
    const ProgramGraph &before = comparison_.baselineProgram(pair);
    const ProgramGraph &after = comparison_.currentProgram(pair);
    llvm::DenseSet<std::uint32_t> unitsBefore, unitsAfter, done;
    for (const ProgramUnit &unit : before.units)
      unitsBefore.insert(unit.unit.value);
    for (const ProgramUnit &unit : after.units)
      unitsAfter.insert(unit.unit.value);
    for (const TouchedName &touched : touched_) {
      auto [old, now] = touched.unit;
      if (!(old.isValid() && unitsBefore.contains(old.value)) &&
          !(now.isValid() && unitsAfter.contains(now.value)))
        continue;
      if (touched.isInternal)
        compareInternal(touched, pair);
      if (done.insert(touched.name.value).second) // an internal name may have been an external one
        compareExternal(touched.name, pair);
    }
    if (!pair.hasSameUnits) // units that did not change may lose or gain the choice
      for (const auto &definition : before.functions.definitions)
        if (done.insert(definition.name.value).second)
          compareExternal(definition.name, pair);
  }

  void compareExternal(NameId name, ProgramPair pair) {
    const auto &before = comparison_.baselineProgram(pair).functions;
    const auto &after = comparison_.currentProgram(pair).functions;
    Functions old = before.entitiesOf(name), now = after.entitiesOf(name);
    if (old.empty() || now.empty())
      return; // their callers show that, see compareDefinitions
    UnitPair homes{before.homeOf(name), after.homeOf(name)};
    compareVariants(old, now, homes, pair);
    if (comparison_.rules(Rule::Flags))
      compareFlags(name, old, pair);
  }

  /// The copy that the linker keeps may come from a unit that is compiled in another way.
  void compareFlags(NameId name, const Functions &old, ProgramPair pair) {
    auto flagsOf = [&](const Project &project, const ProgramGraph &program) {
      std::map<Fingerprint, NameId> flags; // with a unit that has them
      for (const auto &variant : program.functions.variantsOf(*program.functions.find(name)))
        flags.try_emplace(project[variant.unit].flags, project[variant.unit].name);
      return flags;
    };
    auto before = flagsOf(baseline_, comparison_.baselineProgram(pair));
    for (const auto &[flags, unit] : flagsOf(current_, comparison_.currentProgram(pair)))
      if (!before.contains(flags))
        for (FunctionId id : old)
          comparison_.addEdge(entryEdge(id, {ChangeKind::Flags, unit, {}, false, {}, {}}),
                              pair.baseline);
  }

  void compareInternal(const TouchedName &touched, ProgramPair pair) {
    if (!touched.unit.baseline.isValid() || !touched.unit.current.isValid())
      return; // nobody else can have called it
    const ProgramGraph &before = comparison_.baselineProgram(pair);
    const ProgramGraph &after = comparison_.currentProgram(pair);
    Functions old = meaningsOf(baseline_, before, touched.name, {touched.unit.baseline});
    Functions now = meaningsOf(current_, after, touched.name, {touched.unit.current});
    if (old.empty() || now.empty())
      return;
    auto homeIn = [&](const ProjectUnit &unit, const ProgramGraph &program, UnitId id) {
      return unit.internalFunctions.find(touched.name) ? id
                                                       : program.functions.homeOf(touched.name);
    };
    UnitPair homes{homeIn(baseline_[touched.unit.baseline], before, touched.unit.baseline),
                   homeIn(current_[touched.unit.current], after, touched.unit.current)};
    compareVariants(old, now, homes, pair);
  }

  /// Which of several variants of a name runs is for the tools to decide, so each is compared with
  /// each as soon as one of them, or the choice among them, changed.
  void compareVariants(const Functions &old, const Functions &now, UnitPair homes,
                       ProgramPair pair) {
    InternalNames internal(comparison_, homes, baseline_[old.front()].name);
    if (internal.isMoved())
      if (auto reason =
              reasonOfMove(comparison_, baseline_[homes.baseline], current_[homes.current]))
        for (FunctionId id : old)
          comparison_.addEdge(entryEdge(id, *reason), pair.baseline);
    bool comparesAll = comparison_.rules(Rule::Variants) && !isSameSet(old, now);
    for (FunctionId a : old)
      for (FunctionId b : now) {
        bool isLike = stateOf(baseline_[a]) == stateOf(current_[b]);
        if (!comparesAll && !isLike && (a != old.front() || b != now.front()))
          continue;
        const Walked &found = walked(a, b, homes);
        for (const DangerousEdge &edge : found.edges)
          comparison_.addEdge(edge, pair.baseline);
        if (found.nodes)
          comparison_.noteMatched(pair.baseline, a, *found.nodes);
        if (isOutsideFunctions(baseline_[a]) && !found.edges.empty())
          comparison_.addProgram(pair.baseline, found.edges.front().reason);
      }
  }

  bool isSameSet(const Functions &old, const Functions &now) const {
    auto states = [](const Project &project, const Functions &functions) {
      std::set<State> found;
      for (FunctionId id : functions)
        found.insert(stateOf(project[id]));
      return found;
    };
    return stateOf(baseline_[old.front()]) == stateOf(current_[now.front()]) &&
           states(baseline_, old) == states(current_, now);
  }

  /// What came of one pair, computed once for all programs.
  struct Walked {
    std::vector<DangerousEdge> edges;
    std::optional<std::vector<NodePair>> nodes; ///< that are matched; nothing: all
  };

  const Walked &walked(FunctionId a, FunctionId b, UnitPair homes) {
    InternalNames internal(comparison_, homes, baseline_[a].name);
    UnitPair moved = internal.isMoved() ? homes : UnitPair{};
    auto [known, isNew] = walks_.try_emplace({a, b, moved});
    if (isNew)
      known->second = walk(a, b, internal);
    return known->second;
  }

  Walked walk(FunctionId a, FunctionId b, const InternalNames &internal) {
    const Function &old = baseline_[a], &now = current_[b];
    Walked found;
    std::vector<DangerousEdge> &edges = found.edges;
    compareDeclarations(a, b, edges);

    UnitId unit = soleUnitOf(baseline_, a);
    auto changedUse = [&](const Node &node) {
      std::optional<Use> use = comparison_.entities.changedUse(node.uses, unit);
      return use ? use : internal.changedUse(node);
    };
    FlowDelta flow = walkFlow(old.flow, now.flow, comparison_.names, changedUse, comparison_.rules);
    if (flow.entry && edges.empty())
      edges.push_back(entryEdge(a, reasonOf(comparison_, old, now, *flow.entry)));
    for (const FlowDifference &difference : flow.dangerous)
      edges.push_back({a,
                       EdgePlace::Flow,
                       difference.edge,
                       {},
                       {},
                       reasonOf(comparison_, old, now, difference),
                       {}});

    bool isChanged = stateOf(old) != stateOf(now);
    if (isChanged || !flow.isEmpty())
      found.nodes = flow.nodes;
    if (isChanged)
      comparison_.delta.functions.push_back(
          {FunctionChangeKind::Changed, a, b, std::move(flow.nodes), std::move(flow.edges)});
    return found;
  }

  static DangerousEdge entryEdge(FunctionId function, Reason reason) {
    return {function, EdgePlace::Entry, 0, {}, {}, reason, {}};
  }

  /// What concerns the function as a whole.
  void compareDeclarations(FunctionId a, FunctionId b, std::vector<DangerousEdge> &edges) {
    const Function &old = baseline_[a], &now = current_[b];
    if (old.declared != now.declared && comparison_.rules(Rule::Declarations)) {
      NameId text = now.unmodelled.empty() ? NameId{} : now.name; // whose text is in `declared`
      edges.push_back(
          entryEdge(a, {ChangeKind::Declaration, text, now.where.begin, false, {}, {}}));
    }
    if (old.compiledOut == now.compiledOut || !comparison_.rules(Rule::CompiledOut))
      return;
    edges.push_back(entryEdge(a, {ChangeKind::CompiledOut, {}, now.where.begin, false, {}, {}}));
    comparison_.addDoubt(fmt::format("{}: text changed that this configuration leaves out",
                                     comparison_.names.text(now.name).str()),
                         now.where.begin);
  }

  /// Functions that came, went or moved to another unit, for the reader.
  void summarise() {
    std::set<std::tuple<FunctionChangeKind, NameId, UnitPair>> told;
    for (const TouchedName &touched : touched_) {
      Functions old = definitionsOf(baseline_, touched.unit.baseline, touched.name);
      Functions now = definitionsOf(current_, touched.unit.current, touched.name);
      if (old.empty() == now.empty())
        continue;
      FunctionId elsewhere = touched.isInternal ? FunctionId{}
                             : old.empty()      ? anywhere(baseline_, touched.name)
                                                : anywhere(current_, touched.name);
      FunctionChange change;
      change.baseline = old.empty() ? elsewhere : old.front();
      change.current = now.empty() ? elsewhere : now.front();
      change.kind = elsewhere.isValid() ? FunctionChangeKind::Moved
                    : old.empty()       ? FunctionChangeKind::Added
                                        : FunctionChangeKind::Removed;
      bool isStrong = baselineOrCurrent(change).linkage == Linkage::Strong;
      if (change.kind == FunctionChangeKind::Moved && !isStrong)
        continue; // inline: another unit includes the header
      UnitPair unit = touched.isInternal ? touched.unit : UnitPair{};
      if (told.insert({change.kind, touched.name, unit}).second)
        comparison_.delta.functions.push_back(std::move(change));
    }
  }

  const Function &baselineOrCurrent(const FunctionChange &change) const {
    return change.baseline.isValid() ? baseline_[change.baseline] : current_[change.current];
  }

  Functions definitionsOf(const Project &project, UnitId unit, NameId name) const {
    llvm::ArrayRef<FunctionId> functions = functionsIn(project, unit);
    llvm::StringRef text = comparison_.names.text(name);
    auto first = llvm::partition_point(
        functions, [&](FunctionId id) { return comparison_.names.text(project[id].name) < text; });
    Functions found;
    for (; first != functions.end() && project[*first].name == name; ++first)
      found.push_back(*first);
    return found;
  }

  static FunctionId anywhere(const Project &project, NameId name) {
    for (const ProgramGraph &program : project.programs)
      if (const auto *definition = program.functions.find(name))
        return definition->chosen;
    return {};
  }

  Comparison &comparison_;
  const Project &baseline_, &current_;
  std::vector<TouchedName> touched_;
  std::map<std::tuple<FunctionId, FunctionId, UnitPair>, Walked> walks_;
};

} // namespace

void compareFunctions(Comparison &comparison) { FunctionComparison(comparison).run(); }

} // namespace retest
