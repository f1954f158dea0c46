#include "diff/reasons.h"

namespace retest {
namespace {

SourcePosition placeOf(const Function &function, NodeId node, std::size_t element = 0) {
  if (!node.isValid())
    return {};
  const std::vector<Element> &elements = function.flow.nodes[node.value].elements;
  if (elements.empty())
    return {};
  return elements[std::min(element, elements.size() - 1)].where.begin;
}

/// The first element that one version of a node has and the other has not, or has otherwise.
std::size_t firstDifference(const Node &baseline, const Node &current) {
  std::size_t index = 0;
  while (index < baseline.elements.size() && index < current.elements.size() &&
         baseline.elements[index].fingerprint == current.elements[index].fingerprint)
    ++index;
  return index;
}

/// In the current function if the code is there, else in the baseline.
void setPlace(Reason &reason, const Function &baseline, const Function &current) {
  std::size_t element = 0;
  if (reason.baselineNode.isValid() && reason.currentNode.isValid())
    element = firstDifference(baseline.flow.nodes[reason.baselineNode.value],
                              current.flow.nodes[reason.currentNode.value]);
  reason.where = placeOf(current, reason.currentNode, element);
  if (reason.where.isKnown())
    return;
  reason.where = placeOf(baseline, reason.baselineNode, element);
  reason.isInBaseline = reason.where.isKnown();
  if (!reason.where.isKnown()) // exits have no place of their own
    reason.where = current.where.begin;
}

ChangeKind kindOf(const Use &use) {
  switch (use.kind) {
  case UseKind::Address:
    return ChangeKind::Definition;
  case UseKind::Variable:
    return ChangeKind::Variable;
  case UseKind::Constructs:
  case UseKind::Layout:
    return ChangeKind::Layout;
  case UseKind::Hierarchy:
    return ChangeKind::Hierarchy;
  }
  llvm_unreachable("all kinds are named");
}

ChangeKind kindOf(FlowChange change) {
  switch (change) {
  case FlowChange::Node:
    return ChangeKind::Statement;
  case FlowChange::Local:
    return ChangeKind::Local;
  case FlowChange::Removed:
    return ChangeKind::EdgeRemoved;
  case FlowChange::Added:
    return ChangeKind::EdgeAdded;
  case FlowChange::TooLarge:
    return ChangeKind::TooLarge;
  case FlowChange::Use:
    break;
  }
  llvm_unreachable("uses have kinds of their own");
}

} // namespace

Reason reasonOf(const Comparison &comparison, const Function &baseline, const Function &current,
                const FlowDifference &difference) {
  Reason reason;
  reason.baselineNode = difference.baselineNode;
  reason.currentNode = difference.currentNode;
  if (difference.change != FlowChange::Use) {
    reason.kind = kindOf(difference.change);
    setPlace(reason, baseline, current);
    return reason;
  }
  reason.kind = kindOf(difference.use);
  reason.entity = difference.use.entity;
  ChangedEntities::Place place = comparison.entities.placeOf(difference.use.entity);
  reason.where = place.where;
  reason.isInBaseline = place.isInBaseline;
  if (!reason.where.isKnown())
    setPlace(reason, baseline, current);
  return reason;
}

} // namespace retest
