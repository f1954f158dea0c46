#pragma once

#include "diff/comparison.h"

#include <llvm/ADT/DenseSet.h>

namespace retest {

/// Sees that code which moved from one unit to another still means the same things.
///
/// The text of a node names what it uses. A name of internal linkage stands for another thing in
/// each unit, so code that moved between units that do not stand for each other (a file that was
/// split, a fake linked instead) counts as changed wherever it mentions one; unless that is a
/// constant of the same value in both, as from a header, or a lambda or local class with the
/// same code in the function that moved.
class InternalNames {
public:
  /// `units`: where the code was, and where it is now. `moved`: the name of the function or
  /// variable that it belongs to.
  InternalNames(const Comparison &comparison, UnitPair units, NameId moved)
      : comparison_(comparison), units_(units), moved_(moved),
        isMoved_(units.baseline.isValid() && units.current.isValid() &&
                 comparison.counterpart(units.baseline) != units.current) {}

  bool isMoved() const { return isMoved_; }

  std::optional<Use> changedUse(const Node &node) const {
    Seen seen;
    return isMoved_ ? changedUse(node, seen) : std::nullopt;
  }

  std::optional<Use> changedUse(llvm::ArrayRef<Use> uses) const {
    Seen seen;
    return isMoved_ ? changedUse(uses, seen) : std::nullopt;
  }

private:
  /// Names that are being looked at: things may name themselves, or each other.
  using Seen = llvm::DenseSet<std::uint32_t>;

  std::optional<Use> changedUse(const Node &node, Seen &seen) const {
    if (isAnother(node.call.callee, seen))
      return Use{UseKind::Address, node.call.callee};
    return changedUse(node.uses, seen);
  }

  std::optional<Use> changedUse(llvm::ArrayRef<Use> uses, Seen &seen) const {
    for (const Use &use : uses)
      if (isAnother(use.entity, seen))
        return use;
    return std::nullopt;
  }

  bool isAnother(NameId name, Seen &seen) const {
    if (!name.isValid() || !seen.insert(name.value).second)
      return false;
    const ProjectUnit &before = comparison_.baseline[units_.baseline];
    const ProjectUnit &after = comparison_.current[units_.current];
    const auto *oldVariable = before.internalVariables.find(name);
    const auto *nowVariable = after.internalVariables.find(name);
    if (oldVariable && nowVariable)
      return isAnother(comparison_.baseline[oldVariable->chosen],
                       comparison_.current[nowVariable->chosen], seen);
    const auto *oldFunction = before.internalFunctions.find(name);
    const auto *nowFunction = after.internalFunctions.find(name);
    if (oldFunction && nowFunction && isPartOfMoved(name))
      return isAnother(comparison_.baseline[oldFunction->chosen],
                       comparison_.current[nowFunction->chosen], seen);
    const auto *oldClass = before.internalClasses.find(name);
    const auto *nowClass = after.internalClasses.find(name);
    if (oldClass && nowClass && isPartOfMoved(name))
      return isAnother(comparison_.baseline[oldClass->chosen],
                       comparison_.current[nowClass->chosen]);
    return oldVariable || nowVariable || oldFunction || nowFunction || oldClass || nowClass;
  }

  static bool isAnother(const Class &old, const Class &now) {
    return std::tie(old.layout, old.hierarchy, old.dispatch, old.isFinal) !=
           std::tie(now.layout, now.hierarchy, now.dispatch, now.isFinal);
  }

  bool isAnother(const Variable &old, const Variable &now, Seen &seen) const {
    return !old.isConstant || !now.isConstant || old.fingerprint != now.fingerprint ||
           changedUse(old.uses, seen);
  }

  bool isAnother(const Function &old, const Function &now, Seen &seen) const {
    return old.fingerprint != now.fingerprint || old.compiledOut != now.compiledOut ||
           llvm::any_of(old.flow.nodes,
                        [&](const Node &node) { return changedUse(node, seen).has_value(); });
  }

  /// "f()::lambda#1() const" of f().
  bool isPartOfMoved(NameId name) const {
    llvm::StringRef text = comparison_.names.text(name);
    return text.consume_front(comparison_.names.text(moved_)) && text.starts_with("::");
  }

  const Comparison &comparison_;
  UnitPair units_;
  NameId moved_;
  bool isMoved_;
};

} // namespace retest
