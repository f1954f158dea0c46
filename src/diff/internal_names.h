#pragma once

#include "diff/comparison.h"

namespace retest {

/// Sees that code which moved from one unit to another still means the same things.
///
/// The text of a node names what it uses. A name of internal linkage stands for another thing in
/// each unit, so code that moved between units that do not stand for each other (a file that was
/// split, a fake linked instead) counts as changed wherever it mentions one; unless it is a
/// constant of the same value in both, as from a header.
class InternalNames {
public:
  /// `units`: where the code was, and where it is now.
  InternalNames(const Comparison &comparison, UnitPair units)
      : comparison_(comparison), units_(units),
        isMoved_(units.baseline.isValid() && units.current.isValid() &&
                 comparison.counterpart(units.baseline) != units.current) {}

  bool isMoved() const { return isMoved_; }

  std::optional<Use> changedUse(const Node &node) const {
    if (isMoved_ && isAnother(node.call.callee))
      return Use{UseKind::Address, node.call.callee};
    return changedUse(node.uses);
  }

  std::optional<Use> changedUse(llvm::ArrayRef<Use> uses) const {
    for (const Use &use : uses)
      if (isMoved_ && isAnother(use.entity))
        return use;
    return std::nullopt;
  }

private:
  bool isAnother(NameId name) const {
    if (!name.isValid())
      return false;
    const ProjectUnit &before = comparison_.baseline[units_.baseline];
    const ProjectUnit &after = comparison_.current[units_.current];
    const auto *old = before.internalVariables.find(name);
    const auto *now = after.internalVariables.find(name);
    if (old && now) {
      const Variable &was = comparison_.baseline[old->chosen],
                     &is = comparison_.current[now->chosen];
      return !was.isConstant || !is.isConstant || was.fingerprint != is.fingerprint ||
             changedUse(was.uses).has_value();
    }
    auto hasOther = [&](const ProjectUnit &unit) {
      return unit.internalFunctions.find(name) || unit.internalClasses.find(name);
    };
    return old || now || hasOther(before) || hasOther(after);
  }

  const Comparison &comparison_;
  UnitPair units_;
  bool isMoved_;
};

} // namespace retest
