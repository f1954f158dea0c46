#include "graph/extract_unwind_flow.h"

#include "graph/extract_meaning.h"

#include <clang/Analysis/CFG.h>

namespace retest {

using namespace clang;

void UnwindFlow::addExceptions(NodeId from, llvm::ArrayRef<int> steps) {
  for (int step : steps)
    flow_.addEdge(from, nodeOf(step), EdgeKind::Exception, label("exception"));
}

NodeId UnwindFlow::exit() {
  if (!exit_.isValid())
    exit_ = flow_.addNode(isNoexcept_ ? NodeKind::Terminate : NodeKind::ExceptionalExit);
  return exit_;
}

NodeId UnwindFlow::nodeOf(int step) {
  if (step == Unwinding::kLeaves)
    return exit();
  auto found = nodes_.find(step);
  if (found != nodes_.end())
    return found->second;
  const UnwindStep &what = unwinding_.steps()[step];
  if (what.kind == UnwindStep::Kind::Try)
    return nodes_[step] = addTry(what);
  NodeId id = flow_.addNode(NodeKind::Cleanup);
  nodes_[step] = id;
  addCleanup(id, what);
  addExceptions(id, what.outer);
  return id;
}

void UnwindFlow::addCleanup(NodeId id, const UnwindStep &what) {
  Meaning meaning(unit_, function_);
  meaning.beginNode();
  Node &cleanup = flow_.node(id);
  if (what.kind == UnwindStep::Kind::Deallocate) {
    cleanup.call = {CallKind::Direct, unit_.nameOf(what.operatorDelete), {}};
    cleanup.elements.push_back({meaning.ofTerminator(unit_.hashOfName(what.operatorDelete)), {}});
    return;
  }
  bool isPartial = what.kind == UnwindStep::Kind::DestroyFinished;
  std::uint64_t fingerprint =
      meaning.ofDestructor(what.record, what.variable, CFGElement::DTOR_END + 1 + isPartial);
  clang::SourceRange where = what.variable ? what.variable->getSourceRange() : clang::SourceRange();
  cleanup.call = destructorCall(unit_, what.record, false);
  cleanup.elements.push_back({fingerprint, unit_.places.range(where)});
  cleanup.locals = meaning.locals;
  cleanup.uses = meaning.uses;
}

/// The try node, and the chain of catch nodes that asks one handler after the other.
NodeId UnwindFlow::addTry(const UnwindStep &what) {
  NodeId first = flow_.addNode(NodeKind::Try);
  NodeId last = first;
  NameId onward = label("exception");
  EdgeKind kind = EdgeKind::Exception;
  for (unsigned i = 0; i < what.tryStatement->getNumHandlers(); ++i) {
    const CXXCatchStmt *handler = what.tryStatement->getHandler(i);
    NodeId asked = addCatch(handler);
    flow_.addEdge(last, asked, kind, onward);
    if (!handler->getExceptionDecl())
      return first; // catch (...) takes everything
    last = asked;
    onward = label("not caught");
    kind = EdgeKind::Flow;
  }
  flow_.addEdge(last, nodeOf(what.outer), kind, onward);
  return first;
}

NodeId UnwindFlow::addCatch(const CXXCatchStmt *handler) {
  NodeId id = flow_.addNode(NodeKind::Catch);
  Meaning meaning(unit_, function_);
  meaning.beginNode();
  std::uint64_t fingerprint = meaning.ofHandler(handler);
  clang::SourceRange where(handler->getCatchLoc(), handler->getHandlerBlock()->getBeginLoc());
  Node &node = flow_.node(id);
  node.elements.push_back({fingerprint, unit_.places.range(where)});
  if (const VarDecl *variable = handler->getExceptionDecl(); variable && variable->getInit()) {
    const Stmt *copy = variable->getInit()->IgnoreImplicit();
    if (std::optional<CallSite> call = callOf(unit_, copy))
      node.call = *call; // copies the exception into the handler's variable
    node.elements.push_back({meaning.ofStatement(variable->getInit()), {}});
  }
  node.uses = meaning.uses;
  if (NodeId entry = entryOf_(handler); entry.isValid())
    flow_.addEdge(id, entry, EdgeKind::Flow, label("caught"));
  return id;
}

} // namespace retest
