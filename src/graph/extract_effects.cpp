#include "graph/extract_effects.h"

#include "graph/extract_unwinding.h"

namespace retest {

using namespace clang;

namespace {

using Effects = CFG::BuildOptions::ForcedBlkExprs;

bool isEffect(ASTContext &ast, const Stmt *statement) {
  if (const auto *operation = dyn_cast<BinaryOperator>(statement))
    return operation->isAssignmentOp();
  if (const auto *operation = dyn_cast<UnaryOperator>(statement))
    return operation->isIncrementDecrementOp();
  if (isa<CXXDynamicCastExpr, CXXTypeidExpr>(statement))
    return mayThrow(ast, statement);
  return isa<AtomicExpr, VAArgExpr>(statement);
}

void addEffects(ASTContext &ast, const Stmt *statement, Effects &effects) {
  if (!statement)
    return;
  if (isEffect(ast, statement))
    effects.try_emplace(statement, nullptr);
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement))
    addEffects(ast, member->getExpr(), effects);
  for (const Stmt *child : statement->children())
    addEffects(ast, child, effects);
}

} // namespace

Effects effectsIn(ASTContext &ast, const Decl *owner, const Stmt *body) {
  Effects effects;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(owner))
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      addEffects(ast, initialiser->getInit(), effects);
  addEffects(ast, body, effects);
  return effects;
}

} // namespace retest
