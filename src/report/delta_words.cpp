#include "report/delta_words.h"

#include "report/graph_words.h"
#include "report/short_names.h"
#include "report/source_text.h"

#include <fmt/format.h>

namespace retest {

std::string nameText(const DeltaView &view, NameId name) {
  return shortName(utf8(view.names.text(name)));
}

std::string placeText(const DeltaView &view, SourcePosition where) {
  return where.isKnown() ? fmt::format("{}:{}", utf8(view.names.text(where.file)), where.line) : "";
}

namespace {

std::string place(const DeltaView &view, const Reason &reason) {
  if (!reason.where.isKnown())
    return "";
  return fmt::format(" at {}{}", placeText(view, reason.where),
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
    return reason.entity.isValid() ? fmt::format("{}, which has no graph, changed", entity)
                                   : "declaration changed";
  case ChangeKind::TooLarge:
    return "too different to be compared";
  case ChangeKind::Layout:
    return fmt::format("layout of {} changed", entity);
  case ChangeKind::Hierarchy:
    return fmt::format("bases of {} changed", entity);
  case ChangeKind::Variable:
    return fmt::format("variable {} changed", entity);
  case ChangeKind::Override:
    // A class by itself, and not a method of it: there are no such receivers any more.
    if (reason.isInBaseline && !llvm::StringRef(entity).ends_with(")"))
      return fmt::format("class {} is gone", entity);
    return fmt::format("runs {}", entity);
  case ChangeKind::Definition:
    return fmt::format("{} is {}", entity,
                       reason.isInBaseline ? "no longer defined" : "now defined");
  case ChangeKind::Initialisers:
    return fmt::format("static initialisation of {} changed", entity);
  case ChangeKind::CompiledOut:
    return "text changed that this configuration leaves out";
  case ChangeKind::Flags:
    return fmt::format("compile flags of {} changed", entity);
  case ChangeKind::ExternalHeader:
    return fmt::format("library header {} is compiled differently", entity);
  case ChangeKind::GivenToLibrary:
    return fmt::format("{} gives code of a library other types, constants or pragmas", entity);
  case ChangeKind::LinkInput:
    return fmt::format("link input {} {}", entity, reason.isInBaseline ? "is gone" : "changed");
  case ChangeKind::ProgramGone:
    return "no program of this name is built any more";
  case ChangeKind::NotParsed:
    return fmt::format("{} does not parse", entity);
  }
  llvm_unreachable("all kinds are named");
}

std::string callText(const DeltaView &view, const CallSite &call) {
  return call.callee.isValid() ? nameText(view, call.callee) : "through a pointer";
}

/// A block whose source is not at hand, by its line.
std::string placeOfBlock(const Node &node, bool isGoal) {
  std::uint32_t line = 0;
  for (const Element &element : node.elements)
    if (element.where.begin.isKnown() && (line == 0 || !isGoal))
      line = element.where.begin.line;
  return line == 0 ? wordFor(node.kind).str() : fmt::format("line {}", line);
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
  if (text.empty() && node.kind == NodeKind::Block)
    return placeOfBlock(node, isGoal);
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

/// What a node calls, or names, and is another thing now.
std::string targetText(const DeltaView &view, const DangerousEdge &edge) {
  const CallSite &call = view.baseline[edge.function].flow.nodes[edge.node.value].call;
  return !call.callee.isValid() && edge.reason.entity.isValid() ? nameText(view, edge.reason.entity)
                                                                : callText(view, call);
}

/// Where a virtual call of a node led for receivers of the class.
std::string virtualTarget(const DeltaView &view, const DangerousEdge &edge) {
  const ProgramGraph *program = edge.programs.empty()
                                    ? programWith(view.baseline, edge.function)
                                    : &view.baseline.programs[edge.programs.front()];
  const CallSite &call = view.baseline[edge.function].flow.nodes[edge.node.value].call;
  if (!program || call.kind != CallKind::Virtual || !call.callee.isValid())
    return "";
  UnitId unit = view.baseline.functionUnits[edge.function.value];
  VirtualCalls &calls =
      view.dispatch->try_emplace(program, view.baseline, *program, view.names).first->second;
  for (const DispatchEdge &target : calls.dispatch(call.receiver, call.callee, unit).edges)
    if (view.baseline[target.receiver].name == edge.receiver)
      return nameText(view, target.method);
  return "";
}

} // namespace

std::string reasonText(const DeltaView &view, const Reason &reason) {
  return whatChanged(view, reason) + place(view, reason);
}

std::string nodeText(const DeltaView &view, FunctionId function, NodeId node) {
  return nodePart(view, function, node, /*isGoal=*/true);
}

EdgeWords edgeWords(const DeltaView &view, const DangerousEdge &edge) {
  const Function &function = view.baseline[edge.function];
  auto origin = [&](NodeId node) { return nodePart(view, edge.function, node, /*isGoal=*/false); };
  switch (edge.place) {
  case EdgePlace::Entry:
    return {"", "", "every call"};
  case EdgePlace::Flow: {
    const FlowEdge &flow = function.flow.edges[edge.edge];
    return {origin(flow.from), arrow(flow, view.names),
            nodePart(view, edge.function, flow.to, /*isGoal=*/true)};
  }
  case EdgePlace::Call:
    return {origin(edge.node), "->", targetText(view, edge)};
  case EdgePlace::VirtualCall:
    return {origin(edge.node), "-" + nameText(view, edge.receiver) + "->",
            virtualTarget(view, edge)};
  }
  llvm_unreachable("all places are named");
}

std::string edgeText(const DeltaView &view, const DangerousEdge &edge) {
  EdgeWords words = edgeWords(view, edge);
  std::string text = words.from;
  for (const std::string &part : {words.arrow, words.to})
    if (!part.empty())
      text += (text.empty() ? "" : " ") + part;
  return text;
}

std::string classEntryText(const DeltaView &view, const DangerousClassEntry &entry) {
  return fmt::format("external code -{}-> {}", nameText(view, entry.type),
                     entry.method.isValid() ? nameText(view, entry.method) : "*");
}

llvm::StringRef wordFor(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::Statement:
    return "statement";
  case ChangeKind::Local:
    return "local";
  case ChangeKind::EdgeRemoved:
    return "edge removed";
  case ChangeKind::EdgeAdded:
    return "edge added";
  case ChangeKind::Declaration:
    return "declaration";
  case ChangeKind::TooLarge:
    return "too large";
  case ChangeKind::Layout:
    return "layout";
  case ChangeKind::Hierarchy:
    return "hierarchy";
  case ChangeKind::Variable:
    return "variable";
  case ChangeKind::Override:
    return "override";
  case ChangeKind::Definition:
    return "definition";
  case ChangeKind::Initialisers:
    return "initialisers";
  case ChangeKind::CompiledOut:
    return "compiled out";
  case ChangeKind::Flags:
    return "flags";
  case ChangeKind::ExternalHeader:
    return "external header";
  case ChangeKind::GivenToLibrary:
    return "given to library";
  case ChangeKind::LinkInput:
    return "link input";
  case ChangeKind::ProgramGone:
    return "program gone";
  case ChangeKind::NotParsed:
    return "not parsed";
  }
  llvm_unreachable("a kind of change without a word");
}

llvm::StringRef wordFor(EdgePlace place) {
  switch (place) {
  case EdgePlace::Entry:
    return "entry";
  case EdgePlace::Flow:
    return "flow";
  case EdgePlace::Call:
    return "call";
  case EdgePlace::VirtualCall:
    return "virtual call";
  }
  llvm_unreachable("a place of an edge without a word");
}

llvm::StringRef wordFor(FunctionChangeKind kind) {
  switch (kind) {
  case FunctionChangeKind::Added:
    return "added";
  case FunctionChangeKind::Removed:
    return "removed";
  case FunctionChangeKind::Changed:
    return "changed";
  case FunctionChangeKind::Moved:
    return "moved";
  }
  llvm_unreachable("a kind of change without a word");
}

} // namespace retest
