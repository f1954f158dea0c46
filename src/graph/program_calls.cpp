#include "graph/program_calls.h"

namespace retest {

ProgramCalls::ProgramCalls(const Project &project, const ProgramGraph &program, const Names &names)
    : project_(project), program_(program), virtualCalls_(project, program, names) {}

/// Where each node goes on after its call; a cleanup goes on with the exception.
static std::vector<NodeId> returnNodes(const FlowGraph &flow) {
  std::vector<NodeId> nodes(flow.nodes.size());
  for (const FlowEdge &edge : flow.edges) {
    bool isCleanup = flow.nodes[edge.from.value].kind == NodeKind::Cleanup;
    if (edge.kind == EdgeKind::Path || (isCleanup && !nodes[edge.from.value].isValid()))
      nodes[edge.from.value] = edge.to;
  }
  return nodes;
}

/// The receiver can mean a class of its own in each unit that has the calling function.
llvm::SmallVector<const Dispatch *, 1> ProgramCalls::dispatchesOf(FunctionId function,
                                                                  const CallSite &call) {
  llvm::SmallVector<const Dispatch *, 1> dispatches;
  for (UnitId unit : unitsWith(project_, program_, function)) {
    const Dispatch &dispatch = virtualCalls_.dispatch(call.receiver, call.callee, unit);
    if (!dispatch.edges.empty() && !llvm::is_contained(dispatches, &dispatch))
      dispatches.push_back(&dispatch);
  }
  return dispatches;
}

void ProgramCalls::addVirtual(FunctionId function, const CallSite &call, const CallEdge &pattern,
                              std::vector<CallEdge> &edges) {
  CallEdge edge = pattern;
  edge.kind = EdgeKind::VirtualCall;
  auto dispatches = dispatchesOf(function, call);
  for (const Dispatch *dispatch : dispatches)
    for (const DispatchEdge &target : dispatch->edges) {
      edge.receiver = target.receiver;
      edge.callee = target.method;
      edge.target = target.target;
      edge.isOnlyDuringConstruction = target.isOnlyDuringConstruction;
      edges.push_back(edge);
    }
  if (!dispatches.empty())
    return;
  // A class that no unit shows: the static callee is all we know.
  auto targets =
      meaningsOf(project_, program_, call.callee, unitsWith(project_, program_, function));
  edge.target = targets.empty() ? FunctionId{} : targets.front();
  edges.push_back(edge);
}

std::vector<CallEdge> ProgramCalls::callEdges(FunctionId function) {
  std::vector<CallEdge> edges;
  const FlowGraph &flow = project_[function].flow;
  std::vector<NodeId> returns = returnNodes(flow);
  auto units = unitsWith(project_, program_, function);
  for (std::uint32_t index = 0; index < flow.nodes.size(); ++index) {
    const Node &node = flow.nodes[index];
    if (node.kind != NodeKind::Call && node.kind != NodeKind::Cleanup)
      continue;
    CallEdge edge;
    edge.from = NodeId{index};
    edge.callee = node.call.callee;
    edge.returnsTo = returns[index];
    if (node.call.kind == CallKind::Virtual) {
      addVirtual(function, node.call, edge, edges);
      continue;
    }
    llvm::SmallVector<FunctionId, 2> targets;
    if (node.call.kind == CallKind::Direct)
      targets = meaningsOf(project_, program_, node.call.callee, units);
    if (targets.empty())
      targets.push_back({});
    for (FunctionId target : targets) {
      edge.target = target;
      edges.push_back(edge);
    }
  }
  return edges;
}

llvm::ArrayRef<Caller> ProgramCalls::callersOf(FunctionId function) {
  if (!rows_) {
    rows_.emplace();
    for (FunctionId caller : functionsOf(project_, program_))
      for (const CallEdge &edge : callEdges(caller))
        if (edge.target.isValid())
          rows_->push_back({edge.target, {caller, edge.from, edge.kind}});
    llvm::sort(*rows_);
    rows_->erase(std::unique(rows_->begin(), rows_->end()), rows_->end());
    for (const Row &row : *rows_)
      callers_.push_back(row.caller);
  }
  auto first = llvm::partition_point(*rows_, [&](const Row &row) { return row.target < function; });
  auto last = llvm::partition_point(*rows_, [&](const Row &row) { return row.target <= function; });
  return llvm::ArrayRef(callers_).slice(first - rows_->begin(), last - first);
}

} // namespace retest
