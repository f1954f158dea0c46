// What a statement sets up now and what runs later: destructors of objects that outlive it, the
// code of block literals.
#include "graph/extract_destruction.h"
#include "graph/extract_flow.h"
#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

/// The destructor of an object that is made here and that no edge of this function leads to.
void Meaning::addLaterDestructor(QualType type) {
  if (const CXXDestructorDecl *destructor = destructorOf(unit_.ast, type))
    addFunction(destructor, false);
}

/// A block literal is no function of its own in the graph: whoever makes it counts as calling it.
void Meaning::addBlock(const BlockDecl *block) {
  for (const BlockDecl::Capture &capture : block->captures()) {
    addLocal(capture.getVariable());
    add(capture.isByRef());
    if (capture.hasCopyExpr())
      addStatement(capture.getCopyExpr());
    addLaterDestructor(capture.getVariable()->getType());
  }
  FlowGraph flow = extractFlow(unit_, block, function_, block->getBody()).graph;
  add(fingerprintOf(flow, unit_.names).low);
  for (const Node &node : flow.nodes) {
    uses.insert(uses.end(), node.uses.begin(), node.uses.end());
    if (node.call.callee.isValid())
      uses.push_back({UseKind::Address, node.call.callee});
  }
}

} // namespace retest
