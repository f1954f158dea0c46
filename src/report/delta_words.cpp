#include "report/delta_words.h"

#include "report/graph_words.h"
#include "report/short_names.h"
#include "report/source_text.h"

#include <fmt/format.h>

namespace retest {
namespace {

std::string nameText(const DeltaView &view, NameId name) {
  return shortName(utf8(view.names.text(name)));
}

std::string place(const DeltaView &view, const Reason &reason) {
  if (!reason.where.isKnown())
    return "";
  return fmt::format(" at {}:{}{}", utf8(view.names.text(reason.where.file)), reason.where.line,
                     reason.isInBaseline ? " of the baseline" : "");
}

std::string whatChanged(const DeltaView &view, const Reason &reason) {
  std::string entity = nameText(view, reason.entity);
  switch (reason.kind) {
  case ChangeKind::Statement:
    return "code changed";
  case ChangeKind::Local:
    return "another local variable is used";
  case ChangeKind::EdgeRemoved:
    return "control no longer goes this way";
  case ChangeKind::EdgeAdded:
    return "control may now go another way";
  case ChangeKind::Declaration:
    return "declaration changed";
  case ChangeKind::TooLarge:
    return "too different to be compared";
  case ChangeKind::Layout:
    return fmt::format("layout of {} changed", entity);
  case ChangeKind::Hierarchy:
    return fmt::format("bases of {} changed", entity);
  case ChangeKind::Variable:
    return fmt::format("variable {} changed", entity);
  case ChangeKind::Override:
    return fmt::format("runs {}", entity);
  case ChangeKind::Definition:
    return fmt::format("{} is {}", entity,
                       reason.isInBaseline ? "no longer defined here" : "now defined");
  case ChangeKind::Initialisers:
    return fmt::format("static initialisation of {} changed", entity);
  case ChangeKind::CompiledOut:
    return "text changed that this configuration leaves out";
  case ChangeKind::Flags:
    return fmt::format("compile flags of {} changed", entity);
  case ChangeKind::ExternalHeader:
    return fmt::format("header {} reads differently", entity);
  case ChangeKind::LinkInput:
    return fmt::format("link input {} {}", entity, reason.isInBaseline ? "is gone" : "changed");
  case ChangeKind::NotParsed:
    return fmt::format("{} does not parse", entity);
  }
  llvm_unreachable("all kinds are named");
}

std::string callText(const DeltaView &view, const CallSite &call) {
  return call.callee.isValid() ? nameText(view, call.callee) : "through a pointer";
}

/// What a node does first (as the goal of an edge) or last (as its origin).
std::string nodePart(const DeltaView &view, FunctionId id, NodeId nodeId, bool isGoal) {
  const Node &node = view.baseline[id].flow.nodes[nodeId.value];
  std::string text;
  if (node.kind == NodeKind::Block || node.kind == NodeKind::Call || node.kind == NodeKind::Catch)
    for (const Element &element : node.elements) {
      std::string part = sourceText(view.baselineLines, element.where, view.names);
      if (part.empty())
        continue;
      text = part;
      if (isGoal)
        break;
    }
  if (node.kind == NodeKind::Cleanup)
    return "cleanup " + callText(view, node.call);
  if (text.empty() && node.kind == NodeKind::Call)
    return "call " + callText(view, node.call);
  if (node.kind == NodeKind::Catch)
    return text.empty() ? "catch" : text;
  return text.empty() ? wordFor(node.kind).str() : text;
}

std::string arrow(const FlowEdge &edge, const Names &names) {
  std::string label = names.text(edge.label).str();
  switch (edge.kind) {
  case EdgeKind::Path:
    return "=>";
  case EdgeKind::Exception:
    return "~>";
  default:
    return label.empty() ? "->" : "-" + label + "->";
  }
}

/// Where a virtual call of a node led for receivers of the class.
std::string virtualTarget(const DeltaView &view, const DangerousEdge &edge) {
  const ProgramGraph *program = edge.programs.empty()
                                    ? programWith(view.baseline, edge.function)
                                    : &view.baseline.programs[edge.programs.front()];
  if (!program)
    return "";
  const Node &node = view.baseline[edge.function].flow.nodes[edge.node.value];
  NameId method = node.call.kind == CallKind::Virtual ? node.call.callee : NameId{};
  VirtualCalls calls(view.baseline, *program, view.names);
  if (!method.isValid())
    return "";
  UnitId unit = view.baseline.functionUnits[edge.function.value];
  for (const DispatchEdge &target : calls.dispatch(node.call.receiver, method, unit).edges)
    if (view.baseline[target.receiver].name == edge.receiver)
      return " " + nameText(view, target.method);
  return "";
}

} // namespace

std::string reasonText(const DeltaView &view, const Reason &reason) {
  return whatChanged(view, reason) + place(view, reason);
}

std::string nodeText(const DeltaView &view, FunctionId function, NodeId node) {
  return nodePart(view, function, node, /*isGoal=*/true);
}

std::string edgeText(const DeltaView &view, const DangerousEdge &edge) {
  const Function &function = view.baseline[edge.function];
  switch (edge.place) {
  case EdgePlace::Entry:
    return "every call";
  case EdgePlace::Flow: {
    const FlowEdge &flow = function.flow.edges[edge.edge];
    return fmt::format("{} {} {}", nodePart(view, edge.function, flow.from, /*isGoal=*/false),
                       arrow(flow, view.names),
                       nodePart(view, edge.function, flow.to, /*isGoal=*/true));
  }
  case EdgePlace::Call:
    return fmt::format("{} -> {}", nodePart(view, edge.function, edge.node, /*isGoal=*/false),
                       callText(view, function.flow.nodes[edge.node.value].call));
  case EdgePlace::VirtualCall:
    return fmt::format("{} -{}->{}", nodePart(view, edge.function, edge.node, /*isGoal=*/false),
                       nameText(view, edge.receiver), virtualTarget(view, edge));
  }
  llvm_unreachable("all places are named");
}

std::string classEntryText(const DeltaView &view, const DangerousClassEntry &entry) {
  return fmt::format("external code -{}-> {}", nameText(view, entry.type),
                     entry.method.isValid() ? nameText(view, entry.method) : "*");
}

} // namespace retest
