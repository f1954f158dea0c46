#include "diff/comparison.h"
#include "graph/external_code.h"

#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// A class or method in terms that two versions share: its name and, for internal linkage, the
/// current unit that it is in.
using Key = std::pair<NameId, UnitId>;

/// What runs: the method, and whether the project has its body. A pure method has none.
using Target = std::pair<Key, bool>;

/// Where calls of a virtual method end up, by class of the receiver.
using Targets = std::map<Key, std::set<Target>>;

class DispatchComparison {
public:
  DispatchComparison(Comparison &comparison, ProgramPair pair)
      : comparison_(comparison), baseline_(comparison.baseline), current_(comparison.current),
        pair_(pair), before_(comparison.baselineProgram(pair)),
        after_(comparison.currentProgram(pair)), old_(baseline_, before_, comparison.names),
        now_(current_, after_, comparison.names) {
    for (NameId name : comparison.entities.redispatched())
      affected_.insert(name.value);
    for (ClassId type : old_.classes())
      for (const VirtualMethod &method : baseline_[type].virtualMethods)
        declaredIn_.try_emplace(method.name.value, baseline_[type].name);
    findTables();
  }

  void run() {
    if (comparison_.rules(Rule::Dispatch))
      for (FunctionId id : functionsOf(baseline_, before_))
        compareCalls(id);
    if (comparison_.rules(Rule::ClassEntries))
      compareClassEntries();
  }

private:
  struct Call {
    NameId receiver, method;
  };

  /// Variables whose initialisers take the address of virtual methods: who reads them may call.
  void findTables() {
    for (bool isDone = false; !isDone;) {
      isDone = true;
      for (UnitId unit : unitsOf(before_))
        for (VariableId id : baseline_[unit].variables) {
          std::size_t known = tables_.lookup(baseline_[id].name.value).size();
          llvm::SmallVector<Call, 1> calls = callsOf(baseline_[id].uses);
          if (calls.size() <= known)
            continue;
          tables_[baseline_[id].name.value] = std::move(calls);
          isDone = false;
        }
    }
  }

  /// Methods whose address is taken: calling through such a pointer dispatches as well.
  llvm::SmallVector<Call, 1> callsOf(llvm::ArrayRef<Use> uses) const {
    llvm::SmallVector<Call, 1> calls;
    for (const Use &use : uses) {
      if (use.kind == UseKind::Address)
        if (auto type = declaredIn_.find(use.entity.value); type != declaredIn_.end())
          calls.push_back({type->second, use.entity});
      if (use.kind == UseKind::Variable)
        if (auto table = tables_.find(use.entity.value); table != tables_.end())
          calls.append(table->second.begin(), table->second.end());
    }
    return calls;
  }

  llvm::SmallVector<Call, 1> callsOf(const Node &node) const {
    llvm::SmallVector<Call, 1> calls = callsOf(node.uses);
    if (node.call.kind == CallKind::Virtual && node.call.callee.isValid())
      calls.push_back({node.call.receiver, node.call.callee});
    return calls;
  }

  void compareCalls(FunctionId id) {
    const FlowGraph &flow = baseline_[id].flow;
    for (std::uint32_t index = 0; index < flow.nodes.size(); ++index)
      for (Call call : callsOf(flow.nodes[index])) {
        if (!comparison_.isMatched(pair_.baseline, id, {index}))
          continue;
        for (UnitId unit : unitsThatDecide(call, id))
          for (const auto &[label, reason] : changedTargets(call, unit))
            comparison_.addEdge({id, EdgePlace::VirtualCall, 0, {index}, label, reason, {}},
                                pair_.baseline);
      }
  }

  /// Where the receiver's class is looked up: it may be another one in each unit that includes an
  /// inline function.
  llvm::SmallVector<UnitId, 2> unitsThatDecide(Call call, FunctionId caller) const {
    bool isShared = baseline_[caller].linkage == Linkage::Weak;
    if (isShared && !before_.classes.find(call.receiver))
      return unitsWith(baseline_, before_, caller);
    return {baseline_.functionUnits[caller.value]};
  }

  using Changes = std::map<NameId, Reason>; ///< by class of the receiver

  /// Call sites of one method on one class share the answer, unless the class is internal.
  const Changes &changedTargets(Call call, UnitId unit) {
    bool isInternal = baseline_[unit].internalClasses.find(call.receiver) != nullptr;
    auto key = std::tuple(call.receiver, call.method, isInternal ? unit : UnitId{});
    auto [known, isNew] = changes_.try_emplace(key);
    if (isNew)
      known->second = compareTargets(call, isInternal ? unit : UnitId{});
    return known->second;
  }

  UnitId unitOf(bool isBaseline, Linkage linkage, UnitId unit) const {
    if (linkage != Linkage::Internal)
      return {};
    return isBaseline ? comparison_.counterpart(unit) : unit;
  }
  Key keyOf(bool isBaseline, ClassId id) const {
    const Project &project = isBaseline ? baseline_ : current_;
    return {project[id].name,
            unitOf(isBaseline, project[id].linkage, project.classUnits[id.value])};
  }
  Target targetOf(bool isBaseline, NameId method, FunctionId function) const {
    const Project &project = isBaseline ? baseline_ : current_;
    UnitId unit;
    if (function.isValid())
      unit = unitOf(isBaseline, project[function].linkage, project.functionUnits[function.value]);
    return {{method, unit}, function.isValid()};
  }

  Targets targetsOf(bool isBaseline, const Dispatch &dispatch) const {
    Targets targets;
    for (const DispatchEdge &edge : dispatch.edges)
      targets[keyOf(isBaseline, edge.receiver)].insert(
          targetOf(isBaseline, edge.method, edge.target));
    return targets;
  }

  bool isAffected(const Targets::value_type &entry) const {
    return affected_.contains(entry.first.first.value) ||
           llvm::any_of(entry.second, [&](const Target &target) {
             return comparison_.redefinedMethods.contains(target.first.first);
           });
  }

  Changes compareTargets(Call call, UnitId unit) {
    Changes changes;
    UnitId counterpart = unit.isValid() ? comparison_.counterpart(unit) : UnitId{};
    Targets old = targetsOf(true, old_.dispatch(call.receiver, call.method, unit));
    if (llvm::none_of(old, [&](const auto &entry) { return isAffected(entry); }))
      return changes;
    Targets now = targetsOf(false, now_.dispatch(call.receiver, call.method, counterpart));
    for (const auto &[label, targets] : old) {
      auto found = now.find(label);
      if (found == now.end() || found->second != targets)
        changes.try_emplace(label.first,
                            reasonFor(label.first, targets,
                                      found == now.end() ? std::set<Target>() : found->second));
    }
    return changes;
  }

  /// Points at the method that receivers run now, else at the class, else at what is gone.
  Reason reasonFor(NameId label, const std::set<Target> &old, const std::set<Target> &now) const {
    NameId shown = label;
    for (const Target &target : now) {
      if (old.contains(target))
        continue;
      shown = target.first.first;
      auto functions = meaningsOf(current_, after_, shown, unitsFor(target.first));
      if (!functions.empty())
        return {
            ChangeKind::Override, shown, current_[functions.front()].where.begin, false, {}, {}};
    }
    for (ClassId type : now_.classes())
      if (current_[type].name == label)
        return {ChangeKind::Override, shown, current_[type].where.begin, false, {}, {}};
    SourcePosition where;
    for (ClassId type : old_.classes())
      if (baseline_[type].name == label)
        where = baseline_[type].where.begin;
    return {ChangeKind::Override, shown, where, true, {}, {}};
  }

  static llvm::SmallVector<UnitId, 1> unitsFor(const Key &key) {
    return key.second.isValid() ? llvm::SmallVector<UnitId, 1>{key.second}
                                : llvm::SmallVector<UnitId, 1>{};
  }

  using Entries = std::map<Key, std::map<NameId, std::set<Target>>>; ///< class, label

  Entries entriesOf(bool isBaseline, const ExternalCode &code) const {
    Entries entries;
    for (const ClassEntry &entry : code.entries) {
      auto &labels = entries[keyOf(isBaseline, entry.ofClass)];
      for (const ClassEntryEdge &edge : entry.edges)
        labels[edge.method].insert(targetOf(isBaseline, edge.overrider, edge.target));
    }
    return entries;
  }

  void compareClassEntries() {
    Entries old = entriesOf(true, externalCode(baseline_, before_, old_, comparison_.names));
    Entries now = entriesOf(false, externalCode(current_, after_, now_, comparison_.names));
    for (const auto &[type, labels] : old) {
      bool isAffected =
          affected_.contains(type.first.value) || !comparison_.redefinedMethods.empty();
      if (!isAffected)
        continue;
      const std::map<NameId, std::set<Target>> &current = now[type];
      for (const auto &[label, targets] : labels) {
        auto found = current.find(label);
        if (found == current.end() || found->second != targets)
          markEntry(type.first, label, targets,
                    found == current.end() ? std::set<Target>() : found->second);
      }
      for (const auto &[label, targets] : current)
        if (!labels.contains(label) && comparison_.rules(Rule::DefaultEntry))
          markEntry(type.first, {}, {}, targets);
    }
  }

  void markEntry(NameId type, NameId label, const std::set<Target> &old,
                 const std::set<Target> &now) {
    comparison_.addClassEntry({type, label, reasonFor(type, old, now), {}}, pair_.baseline);
  }

  Comparison &comparison_;
  const Project &baseline_, &current_;
  ProgramPair pair_;
  const ProgramGraph &before_, &after_;
  VirtualCalls old_, now_;
  llvm::DenseSet<std::uint32_t> affected_;
  llvm::DenseMap<std::uint32_t, NameId> declaredIn_; ///< class of each virtual method
  llvm::DenseMap<std::uint32_t, llvm::SmallVector<Call, 1>> tables_; ///< by variable
  std::map<std::tuple<NameId, NameId, UnitId>, Changes> changes_;
};

} // namespace

void compareDispatch(Comparison &comparison) {
  if (comparison.entities.redispatched().empty() && comparison.redefinedMethods.empty())
    return;
  for (ProgramPair pair : comparison.programs)
    DispatchComparison(comparison, pair).run();
}

} // namespace retest
