#include "diff/comparison.h"
#include "diff/internal_names.h"

#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// Names that one version of a program defines and the other does not, and the calls of them.
///
/// The caller did not change: it calls the same name. But the name was external and is now the
/// project's (a fake beside a library), or the other way round.
class DefinitionComparison {
public:
  DefinitionComparison(Comparison &comparison, ProgramPair pair)
      : comparison_(comparison), baseline_(comparison.baseline), current_(comparison.current),
        pair_(pair), before_(comparison.baselineProgram(pair)),
        after_(comparison.currentProgram(pair)) {}

  void run() {
    if (!isReadable(baseline_, before_) || !isReadable(current_, after_))
      return; // names come and go with what cannot be read; compareUnits says so
    Redefined redefined;
    if (mayDefineOther())
      compareExternal(redefined);
    pair_.hasSameUnits ? compareMovedVariables(redefined) : compareVariables(redefined);
    addNamingVariables(redefined, unitsOf(before_));
    if (!redefined.empty())
      for (FunctionId id : functionsOf(baseline_, before_))
        if (isStillThere(id))
          markCalls(id, redefined);
    for (UnitPair unit : comparison_.units)
      if (unit.baseline.isValid() && unit.current.isValid() && isIn(before_, unit.baseline))
        compareInternal(unit);
  }

private:
  using Redefined = llvm::DenseMap<std::uint32_t, Reason>; ///< by name

  static bool isIn(const ProgramGraph &program, UnitId unit) {
    return llvm::any_of(program.units, [&](const ProgramUnit &in) { return in.unit == unit; });
  }

  /// Definitions come and go with units, or inside units that changed.
  bool mayDefineOther() const {
    return !pair_.hasSameUnits || llvm::any_of(comparison_.units, [&](UnitPair unit) {
      return unit.baseline.isValid() && unit.current.isValid() && isIn(before_, unit.baseline) &&
             definesOther(unit);
    });
  }

  bool definesOther(UnitPair pair) const {
    auto namesIn = [](const Project &project, UnitId unit) {
      std::vector<NameId> names;
      for (FunctionId id : project[unit].functions)
        if (project[id].linkage != Linkage::Internal)
          names.push_back(project[id].name);
      return names;
    };
    return namesIn(baseline_, pair.baseline) != namesIn(current_, pair.current);
  }

  void compareExternal(Redefined &redefined) {
    for (const auto &definition : before_.functions.definitions)
      if (!after_.functions.find(definition.name))
        note(baseline_[definition.chosen], /*isInBaseline=*/true, redefined);
    for (const auto &definition : after_.functions.definitions)
      if (!before_.functions.find(definition.name))
        note(current_[definition.chosen], /*isInBaseline=*/false, redefined);
  }

  /// A table that names a redefined function leads its readers there.
  void addNamingVariables(Redefined &redefined, llvm::ArrayRef<UnitId> units) const {
    for (bool isDone = redefined.empty(); !isDone;) {
      isDone = true;
      for (UnitId unit : units)
        for (VariableId id : baseline_[unit].variables) {
          const Variable &variable = baseline_[id];
          for (const Use &use : variable.uses)
            if (auto found = redefined.find(use.entity.value);
                found != redefined.end() && !redefined.contains(variable.name.value)) {
              Reason reason = found->second;
              redefined.try_emplace(variable.name.value, reason);
              isDone = false;
            }
        }
    }
  }

  /// Who calls a function that is gone itself is marked for that.
  bool isStillThere(FunctionId id) const {
    UnitId unit = comparison_.counterpart(baseline_.functionUnits[id.value]);
    return baseline_[id].linkage != Linkage::Internal
               ? after_.functions.find(baseline_[id].name) != nullptr
               : unit.isValid() &&
                     !meaningsOf(current_, after_, baseline_[id].name, {unit}).empty();
  }

  /// Units that did not change, but another one is linked: its data counts.
  void compareVariables(Redefined &redefined) {
    if (!comparison_.rules(Rule::Definitions))
      return;
    for (const auto &definition : before_.variables.definitions) {
      const auto *now = after_.variables.find(definition.name);
      if (!now)
        note(baseline_[definition.chosen], /*isInBaseline=*/true, redefined);
      else if (baseline_[definition.chosen].fingerprint != current_[now->chosen].fingerprint ||
               namesOtherInternals(definition.name))
        note(current_[now->chosen], /*isInBaseline=*/false, redefined);
    }
    for (const auto &definition : after_.variables.definitions)
      if (!before_.variables.find(definition.name))
        note(current_[definition.chosen], /*isInBaseline=*/false, redefined);
  }

  /// Variables that look the same, but moved to a unit where the names in them mean other things.
  void compareMovedVariables(Redefined &redefined) {
    if (!comparison_.rules(Rule::Definitions))
      return;
    for (UnitPair unit : comparison_.units)
      if (unit.baseline.isValid() && unit.current.isValid() && isIn(before_, unit.baseline))
        for (VariableId id : current_[unit.current].variables)
          if (namesOtherInternals(current_[id].name))
            note(current_[id], /*isInBaseline=*/false, redefined);
  }

  bool namesOtherInternals(NameId variable) const {
    const auto *old = before_.variables.find(variable);
    if (!old || !after_.variables.find(variable))
      return false;
    InternalNames internal(comparison_,
                           {before_.variables.homeOf(variable), after_.variables.homeOf(variable)},
                           variable);
    return internal.changedUse(baseline_[old->chosen].uses).has_value();
  }

  static void note(const Variable &variable, bool isInBaseline, Redefined &redefined) {
    redefined.try_emplace(
        variable.name.value,
        Reason{ChangeKind::Variable, variable.name, variable.where.begin, isInBaseline, {}, {}});
  }

  /// The same for one unit, where an internal name may hide an external one.
  void compareInternal(UnitPair unit) {
    Redefined redefined;
    const auto &old = baseline_[unit.baseline].internalFunctions;
    const auto &now = current_[unit.current].internalFunctions;
    for (const auto &definition : old.definitions)
      if (meaningsOf(current_, after_, definition.name, {unit.current}).empty())
        note(baseline_[definition.chosen], /*isInBaseline=*/true, redefined);
    for (const auto &definition : now.definitions)
      if (meaningsOf(baseline_, before_, definition.name, {unit.baseline}).empty())
        note(current_[definition.chosen], /*isInBaseline=*/false, redefined);
    addNamingVariables(redefined, {unit.baseline});
    if (!redefined.empty())
      for (FunctionId id : baseline_[unit.baseline].functions)
        if (isStillThere(id) && !isMovedAway(id, unit))
          markCalls(id, redefined);
  }

  /// What it names in its new unit is seen when it is compared, see InternalNames.
  bool isMovedAway(FunctionId id, UnitPair unit) const {
    return baseline_[id].linkage == Linkage::Strong &&
           after_.functions.homeOf(baseline_[id].name) != unit.current;
  }

  void note(const Function &function, bool isInBaseline, Redefined &redefined) {
    // Only its unit's initialiser calls it, and that concerns the test alone whose name it has; who
    // selects tests does so by that name. A suite that begins, or many tests, concern others.
    if (function.isTestRegistration && hasOneTest(function))
      return;
    Reason reason{
        ChangeKind::Definition, function.name, function.where.begin, isInBaseline, {}, {}};
    if (comparison_.rules(Rule::Definitions)) {
      redefined.try_emplace(function.name.value, reason);
      if (function.isVirtual)
        comparison_.redefinedMethods.insert(function.name);
    }
    bool isCalledFromOutside = function.linkage != Linkage::Internal &&
                               (function.isReplacement || isMain(function, comparison_.names));
    if (isCalledFromOutside && comparison_.rules(Rule::Interposition))
      comparison_.addProgram(pair_.baseline, reason);
  }

  void markCalls(FunctionId id, const Redefined &redefined) {
    const FlowGraph &flow = baseline_[id].flow;
    for (std::uint32_t index = 0; index < flow.nodes.size(); ++index) {
      const Reason *reason = redefinedIn(id, flow.nodes[index], redefined);
      // A node without counterpart is dangerous to enter already.
      if (reason && comparison_.isMatched(pair_.baseline, id, {index}))
        comparison_.addEdge({id, EdgePlace::Call, 0, {index}, {}, *reason, {}}, pair_.baseline);
    }
  }

  const Reason *redefinedIn(FunctionId caller, const Node &node, const Redefined &redefined) const {
    auto find = [&](NameId name) {
      auto found = redefined.find(name.value);
      return found == redefined.end() || meansItsOwn(caller, name) ? nullptr : &found->second;
    };
    const Reason *reason = nullptr;
    if (node.call.callee.isValid() && node.call.kind == CallKind::Direct)
      reason = find(node.call.callee);
    for (const Use &use : node.uses)
      if (!reason && (use.kind == UseKind::Address || use.kind == UseKind::Variable))
        reason = find(use.entity);
    return reason;
  }

  /// Whether the unit of the caller defines the name in both versions, if only for itself in one.
  bool meansItsOwn(FunctionId caller, NameId name) const {
    if (baseline_[caller].linkage == Linkage::Weak)
      return false; // in several units
    UnitId before = baseline_.functionUnits[caller.value], after = comparison_.counterpart(before);
    return after.isValid() && defines(baseline_, before, name) && defines(current_, after, name);
  }

  static bool defines(const Project &project, UnitId unit, NameId name) {
    return llvm::any_of(project[unit].functions,
                        [&](FunctionId id) { return project[id].name == name; });
  }

  Comparison &comparison_;
  const Project &baseline_, &current_;
  ProgramPair pair_;
  const ProgramGraph &before_, &after_;
};

} // namespace

void compareDefinitions(Comparison &comparison) {
  for (ProgramPair pair : comparison.programs)
    DefinitionComparison(comparison, pair).run();
}

} // namespace retest
