#include "graph/extract_reordered.h"

#include <clang/AST/ExprCXX.h>

namespace retest {

using namespace clang;

namespace {

/// The first element inside an expression: blocks are numbered from the end.
class FirstElement {
public:
  explicit FirstElement(const ElementPlaces &places) : places_(places) {}

  void visit(const Stmt *statement) {
    if (!statement)
      return;
    auto found = places_.find(statement);
    if (found != places_.end()) {
      auto [block, index] = found->second;
      if (!first || block > block_ || (block == block_ && index < index_)) {
        first = statement;
        block_ = block;
        index_ = index;
      }
    }
    if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) { // the body is another function
      for (const Expr *capture : lambda->capture_inits())
        visit(capture);
      return;
    }
    for (const Stmt *child : statement->children())
      visit(child);
  }

  const Stmt *first = nullptr;

private:
  const ElementPlaces &places_;
  unsigned block_ = 0;
  unsigned index_ = 0;
};

llvm::SmallVector<const Stmt *, 4> reorderedOperands(const Stmt *statement) {
  llvm::SmallVector<const Stmt *, 4> operands;
  if (const auto *lambda = dyn_cast<LambdaExpr>(statement))
    operands.append(lambda->capture_init_begin(), lambda->capture_init_end());
  else if (const auto *call = dyn_cast<CXXOperatorCallExpr>(statement);
           call && call->isAssignmentOp())
    operands.append(call->arg_begin(), call->arg_end());
  return operands;
}

} // namespace

Reordered findReordered(const CFG &cfg, const ElementPlaces &places) {
  Reordered found;
  for (const CFGBlock *block : cfg)
    for (const CFGElement &element : *block) {
      auto statement = element.getAs<CFGStmt>();
      if (!statement)
        continue;
      FirstElement search(places);
      unsigned withElements = 0;
      for (const Stmt *operand : reorderedOperands(statement->getStmt())) {
        FirstElement inside(places);
        inside.visit(operand);
        withElements += inside.first != nullptr;
        search.visit(operand);
      }
      if (withElements > 1)
        found[search.first].push_back(statement->getStmt());
    }
  return found;
}

} // namespace retest
