#include "diff/comparison.h"
#include "graph/external_code.h"

#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// Where calls of a virtual method end up, by class of the receiver, in terms that two versions
/// share: class and method by name.
using Targets = std::map<NameId, std::set<NameId>>;

Targets targetsOf(const Dispatch &dispatch, const Project &project) {
  Targets targets;
  for (const DispatchEdge &edge : dispatch.edges)
    targets[project[edge.receiver].name].insert(edge.method);
  return targets;
}

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

  /// The virtual call that ends a node, and the methods whose address it takes: calling through
  /// such a pointer dispatches as well.
  llvm::SmallVector<Call, 1> callsOf(const Node &node) const {
    llvm::SmallVector<Call, 1> calls;
    if (node.call.kind == CallKind::Virtual && node.call.callee.isValid())
      calls.push_back({node.call.receiver, node.call.callee});
    for (const Use &use : node.uses)
      if (use.kind == UseKind::Address)
        if (auto type = declaredIn_.find(use.entity.value); type != declaredIn_.end())
          calls.push_back({type->second, use.entity});
    return calls;
  }

  void compareCalls(FunctionId id) {
    const FlowGraph &flow = baseline_[id].flow;
    for (std::uint32_t index = 0; index < flow.nodes.size(); ++index)
      for (Call call : callsOf(flow.nodes[index])) {
        if (!comparison_.isMatched(pair_.baseline, id, {index}))
          continue;
        for (const auto &[label, reason] : changedTargets(call, baseline_.functionUnits[id.value]))
          comparison_.addEdge({id, EdgePlace::VirtualCall, 0, {index}, label, reason, {}},
                              pair_.baseline);
      }
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

  Changes compareTargets(Call call, UnitId unit) {
    Changes changes;
    UnitId counterpart = unit.isValid() ? comparison_.counterpart(unit) : UnitId{};
    Targets old = targetsOf(old_.dispatch(call.receiver, call.method, unit), baseline_);
    if (llvm::none_of(old,
                      [&](const auto &entry) { return affected_.contains(entry.first.value); }))
      return changes;
    Targets now = targetsOf(now_.dispatch(call.receiver, call.method, counterpart), current_);
    for (const auto &[label, methods] : old) {
      auto found = now.find(label);
      if (found == now.end() || found->second != methods)
        changes[label] =
            reasonFor(label, methods, found == now.end() ? std::set<NameId>() : found->second);
    }
    return changes;
  }

  /// Points at the method that receivers run now, else at the class, else at what is gone.
  Reason reasonFor(NameId label, const std::set<NameId> &old, const std::set<NameId> &now) const {
    for (NameId method : now)
      if (!old.contains(method))
        if (const auto *function = after_.functions.find(method))
          return {
              ChangeKind::Override, method, current_[function->chosen].where.begin, false, {}, {}};
    NameId shown = now.empty() ? label : *now.begin();
    if (const auto *type = after_.classes.find(label))
      return {ChangeKind::Override, shown, current_[type->chosen].where.begin, false, {}, {}};
    SourcePosition where;
    if (const auto *type = before_.classes.find(label))
      where = baseline_[type->chosen].where.begin;
    return {ChangeKind::Override, shown, where, true, {}, {}};
  }

  using Entries = std::map<NameId, std::map<NameId, NameId>>; ///< class, label, overrider

  static Entries entriesOf(const ExternalCode &code, const Project &project) {
    Entries entries;
    for (const ClassEntry &entry : code.entries) {
      auto &labels = entries[project[entry.ofClass].name];
      for (const ClassEntryEdge &edge : entry.edges)
        labels.emplace(edge.method, edge.overrider);
    }
    return entries;
  }

  void compareClassEntries() {
    Entries old = entriesOf(externalCode(baseline_, before_, old_, comparison_.names), baseline_);
    Entries now = entriesOf(externalCode(current_, after_, now_, comparison_.names), current_);
    for (const auto &[type, labels] : old) {
      if (!affected_.contains(type.value))
        continue;
      const std::map<NameId, NameId> &current = now[type];
      for (const auto &[label, overrider] : labels) {
        auto found = current.find(label);
        if (found == current.end() || found->second != overrider)
          markEntry(type, label, {overrider},
                    found == current.end() ? std::set<NameId>() : std::set{found->second});
      }
      for (const auto &[label, overrider] : current)
        if (!labels.contains(label) && comparison_.rules(Rule::DefaultEntry))
          markEntry(type, {}, {}, {overrider});
    }
  }

  void markEntry(NameId type, NameId label, const std::set<NameId> &old,
                 const std::set<NameId> &now) {
    comparison_.addClassEntry({type, label, reasonFor(type, old, now), {}}, pair_.baseline);
  }

  Comparison &comparison_;
  const Project &baseline_, &current_;
  ProgramPair pair_;
  const ProgramGraph &before_, &after_;
  VirtualCalls old_, now_;
  llvm::DenseSet<std::uint32_t> affected_;
  llvm::DenseMap<std::uint32_t, NameId> declaredIn_; ///< class of each virtual method
  std::map<std::tuple<NameId, NameId, UnitId>, Changes> changes_;
};

} // namespace

void compareDispatch(Comparison &comparison) {
  if (comparison.entities.redispatched().empty())
    return;
  for (ProgramPair pair : comparison.programs)
    DispatchComparison(comparison, pair).run();
}

} // namespace retest
