#include "graph/extract_reordered.h"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace retest {

using namespace clang;

namespace {

/// In C, assigning a struct evaluates the left operand first.
bool runsRightOperandFirst(const BinaryOperator *operation) {
  return operation->isAssignmentOp() && !operation->getType()->isRecordType();
}

/// Reads expressions from their end to their beginning, as they run, and keeps in mind which of the
/// elements met so far Clang's graph has first.
class BackwardWalk {
public:
  BackwardWalk(const ElementPlaces &places, Reordered &found) : places_(places), found_(found) {}

  bool hasMet(const Stmt *statement) const { return met_.contains(statement); }

  /// `later` is the first element in the graph of all that run after the statement, or null.
  /// Returns the first of all that run from the statement on.
  const Stmt *visit(const Stmt *statement, const Stmt *later) {
    if (isa<StmtExpr>(statement)) // what its statements do to each other is none of our business
      return note(statement, firstInside(statement), later);
    if (places_.contains(statement)) {
      met_.insert(statement);
      later = note(statement, statement, later);
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(statement))
      return visit(choice->getCond(), first(visit(choice->getTrueExpr(), later),
                                            visit(choice->getFalseExpr(), later)));
    llvm::SmallVector<const Stmt *, 4> operands = operandsAsTheyRun(statement);
    for (const Stmt *operand : llvm::reverse(operands))
      later = visit(operand, later);
    return later;
  }

private:
  const Stmt *note(const Stmt *action, const Stmt *element, const Stmt *later) {
    const Stmt *earliest = first(element, later);
    if (element && earliest != element)
      found_[earliest].push_back(action);
    return earliest;
  }

  /// Blocks are numbered from the end.
  const Stmt *first(const Stmt *one, const Stmt *other) const {
    if (!one || !other)
      return one ? one : other;
    auto [block, index] = places_.find(one)->second;
    auto [otherBlock, otherIndex] = places_.find(other)->second;
    bool isFirst = block != otherBlock ? block > otherBlock : index <= otherIndex;
    return isFirst ? one : other;
  }

  const Stmt *firstInside(const Stmt *statement) const {
    const Stmt *found = places_.contains(statement) ? statement : nullptr;
    if (!isa<LambdaExpr>(statement)) // the body is another function
      for (const Stmt *child : statement->children())
        if (child)
          found = first(found, firstInside(child));
    return found;
  }

  const ElementPlaces &places_;
  Reordered &found_;
  llvm::SmallPtrSet<const Stmt *, 32> met_;
};

} // namespace

llvm::SmallVector<const Stmt *, 4> operandsAsTheyRun(const Stmt *expression) {
  llvm::SmallVector<const Stmt *, 4> operands;
  if (const auto *lambda = dyn_cast<LambdaExpr>(expression)) {
    operands.append(lambda->capture_init_begin(), lambda->capture_init_end());
  } else if (const auto *allocation = dyn_cast<CXXNewExpr>(expression)) {
    operands.push_back(allocation->getArraySize().value_or(nullptr));
    operands.append(allocation->placement_arg_begin(), allocation->placement_arg_end());
    operands.push_back(allocation->getInitializer());
  } else if (const auto *member = dyn_cast<CXXDefaultInitExpr>(expression)) {
    operands.push_back(member->getExpr());
  } else {
    operands.append(expression->child_begin(), expression->child_end());
    const auto *operation = dyn_cast<BinaryOperator>(expression);
    const auto *call = dyn_cast<CXXOperatorCallExpr>(expression);
    if ((operation && runsRightOperandFirst(operation)) || (call && call->isAssignmentOp()))
      std::reverse(operands.begin(), operands.end());
  }
  // Statements inside, such as the body of a handler, are no operands.
  llvm::erase_if(operands, [](const Stmt *operand) { return !isa_and_nonnull<Expr>(operand); });
  return operands;
}

Reordered findReordered(const CFG &cfg, const ElementPlaces &places) {
  Reordered found;
  BackwardWalk walk(places, found);
  // From the end, so that an expression is met before its operands.
  for (const CFGBlock *block : cfg)
    for (const CFGElement &element : llvm::reverse(*block)) {
      if (auto statement = element.getAs<CFGStmt>();
          statement && !walk.hasMet(statement->getStmt()))
        walk.visit(statement->getStmt(), nullptr);
      else if (auto initialiser = element.getAs<CFGInitializer>())
        walk.visit(initialiser->getInitializer()->getInit(), nullptr);
    }
  return found;
}

} // namespace retest
