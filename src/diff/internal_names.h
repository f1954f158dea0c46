#pragma once

#include "diff/comparison.h"

namespace retest {

/// Sees that code which moved from one unit to another still means the same things.
///
/// The text of a node names what it uses. A name of internal linkage stands for another thing in
/// each unit, so a function that moved between units that do not stand for each other (a file that
/// was split) counts as changed wherever it mentions one.
class InternalNames {
public:
  InternalNames(const Comparison &comparison, FunctionId baseline, FunctionId current)
      : before_(comparison.baseline[comparison.baseline.functionUnits[baseline.value]]),
        after_(comparison.current[comparison.current.functionUnits[current.value]]),
        isMoved_(comparison.baseline[baseline].linkage != Linkage::Weak &&
                 comparison.counterpart(comparison.baseline.functionUnits[baseline.value]) !=
                     comparison.current.functionUnits[current.value]) {}

  std::optional<Use> changedUse(const Node &node) const {
    if (!isMoved_)
      return std::nullopt;
    if (isInternal(node.call.callee))
      return Use{UseKind::Address, node.call.callee};
    for (const Use &use : node.uses)
      if (isInternal(use.entity))
        return use;
    return std::nullopt;
  }

private:
  bool isInternal(NameId name) const {
    auto isIn = [&](const ProjectUnit &unit) {
      return unit.internalFunctions.find(name) || unit.internalVariables.find(name) ||
             unit.internalClasses.find(name);
    };
    return name.isValid() && (isIn(before_) || isIn(after_));
  }

  const ProjectUnit &before_, &after_;
  bool isMoved_;
};

} // namespace retest
