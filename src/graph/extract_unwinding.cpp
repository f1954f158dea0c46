#include "graph/extract_unwinding.h"

#include <clang/AST/Attr.h>
#include <clang/AST/StmtOpenMP.h>

namespace retest {

using namespace clang;

bool mayThrow(ASTContext &ast, const FunctionDecl *function) {
  if (!ast.getLangOpts().Exceptions || function->hasAttr<NoThrowAttr>())
    return false;
  if (function->getBuiltinID() != 0 && function->getIdentifier() &&
      function->getName().starts_with("__builtin"))
    return false;
  const auto *type = function->getType()->getAs<FunctionProtoType>();
  return !type || isUnresolvedExceptionSpec(type->getExceptionSpecType()) || !type->isNothrow();
}

bool mayThrow(ASTContext &ast, const Stmt *expression) {
  if (!ast.getLangOpts().Exceptions)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(expression)) {
    if (const FunctionDecl *callee = call->getDirectCallee())
      return mayThrow(ast, callee);
    QualType type = call->getCallee()->getType();
    if (const auto *member = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens()))
      type = member->getRHS()->getType(); // (object.*pointer)(...)
    if (!type->getPointeeType().isNull())
      type = type->getPointeeType();
    const auto *prototype = type->getAs<FunctionProtoType>();
    return !prototype || !prototype->isNothrow();
  }
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expression))
    return mayThrow(ast, construction->getConstructor());
  if (const auto *inherited = dyn_cast<CXXInheritedCtorInitExpr>(expression))
    return mayThrow(ast, inherited->getConstructor());
  if (const auto *allocation = dyn_cast<CXXNewExpr>(expression))
    return allocation->getOperatorNew() && mayThrow(ast, allocation->getOperatorNew());
  if (const auto *destruction = dyn_cast<CXXDeleteExpr>(expression)) {
    const CXXRecordDecl *record = destruction->getDestroyedType()->getAsCXXRecordDecl();
    return record && record->getDestructor() && mayThrow(ast, record->getDestructor());
  }
  if (const auto *cast = dyn_cast<CXXDynamicCastExpr>(expression))
    return cast->getType()->isReferenceType() || cast->isGLValue();
  if (const auto *query = dyn_cast<CXXTypeidExpr>(expression))
    return !query->isTypeOperand() && query->isPotentiallyEvaluated();
  return isa<CXXThrowExpr>(expression);
}

Unwinding::Unwinding(ASTContext &ast, const FunctionDecl *function, const Stmt *body) : ast_(ast) {
  if (const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(function)) {
    visitConstructor(constructor, body);
    return;
  }
  if (const auto *destructor = dyn_cast_or_null<CXXDestructorDecl>(function)) {
    // Whatever the body does, members and bases are destroyed after it.
    const CXXRecordDecl *record = destructor->getParent();
    for (const CXXBaseSpecifier &base : record->bases())
      pushDestructor(base.getType(), nullptr);
    for (const FieldDecl *field : record->fields())
      pushDestructor(field->getType(), nullptr);
  }
  visit(body);
}

int Unwinding::stepAt(const Stmt *statement) const {
  auto found = stepAt_.find(statement);
  return found == stepAt_.end() ? kLeaves : found->second;
}

int Unwinding::stepBehind(const VarDecl *variable) const {
  auto found = stepBehind_.find(variable);
  return found == stepBehind_.end() ? kLeaves : found->second;
}

void Unwinding::push(UnwindStep step) {
  step.outer = current_;
  current_ = static_cast<int>(steps_.size());
  steps_.push_back(step);
}

void Unwinding::pushDestructor(QualType type, const VarDecl *variable) {
  if (variable)
    stepBehind_[variable] = current_;
  const CXXRecordDecl *record = ast_.getBaseElementType(type)->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
    return;
  push({UnwindStep::Kind::Destroy, record, variable, nullptr, nullptr, kLeaves});
}

void Unwinding::visitConstructor(const CXXConstructorDecl *constructor, const Stmt *body) {
  const auto *functionTry = dyn_cast_or_null<CXXTryStmt>(body);
  if (functionTry) // its handlers also take what the initialisers throw
    push({UnwindStep::Kind::Try, nullptr, nullptr, nullptr, functionTry, kLeaves});
  for (const CXXCtorInitializer *initialiser : constructor->inits()) {
    int before = current_;
    visit(initialiser->getInit());
    current_ = before; // temporaries are gone; the part itself lives from here on
    if (const FieldDecl *field = initialiser->getAnyMember())
      pushDestructor(field->getType(), nullptr);
    else
      pushDestructor(QualType(initialiser->isBaseInitializer()
                                  ? initialiser->getBaseClass()
                                  : ast_.getTypeDeclType(constructor->getParent()).getTypePtr(),
                              0),
                     nullptr);
  }
  if (!functionTry) {
    visit(body);
    return;
  }
  visit(functionTry->getTryBlock());
  current_ = kLeaves;
  visitHandlers(functionTry);
}

void Unwinding::visitTry(const CXXTryStmt *statement) {
  int outside = current_;
  push({UnwindStep::Kind::Try, nullptr, nullptr, nullptr, statement, kLeaves});
  visit(statement->getTryBlock());
  current_ = outside;
  visitHandlers(statement);
}

void Unwinding::visitHandlers(const CXXTryStmt *statement) {
  int outside = current_;
  for (unsigned i = 0; i < statement->getNumHandlers(); ++i) {
    const CXXCatchStmt *handler = statement->getHandler(i);
    if (const VarDecl *variable = handler->getExceptionDecl()) {
      visit(variable->getInit());
      current_ = outside;
      if (!variable->getType()->isReferenceType())
        pushDestructor(variable->getType(), variable);
    }
    visit(handler->getHandlerBlock());
    current_ = outside;
  }
}

void Unwinding::visitDeclarations(const DeclStmt *statement) {
  for (const Decl *declaration : statement->decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable)
      continue;
    stepBehind_[variable] = current_;
    if (!variable->getInit())
      continue;
    int before = current_;
    visit(variable->getInit());
    current_ = before;
    if (!variable->hasLocalStorage())
      continue;
    if (!variable->getType()->isReferenceType())
      pushDestructor(variable->getType(), variable);
    else if (const auto *kept =
                 dyn_cast<MaterializeTemporaryExpr>(variable->getInit()->IgnoreImplicit());
             kept && kept->getExtendingDecl()) // a temporary that lives as long as its reference
      pushDestructor(kept->getType(), variable);
  }
}

void Unwinding::visitNew(const CXXNewExpr *allocation) {
  if (allocation->isArray() && allocation->getArraySize())
    visit(*allocation->getArraySize());
  for (unsigned i = 0; i < allocation->getNumPlacementArgs(); ++i)
    visit(allocation->getPlacementArg(i));
  stepAt_[allocation] = current_;
  if (!allocation->getInitializer())
    return;
  int before = current_;
  if (allocation->getOperatorDelete())
    push({UnwindStep::Kind::Deallocate, nullptr, nullptr, allocation->getOperatorDelete(), nullptr,
          kLeaves});
  int allocated = current_;
  visit(allocation->getInitializer());
  // Once the object is constructed its memory is no longer given back, but temporaries made on
  // the way still live: keep those, in order.
  llvm::SmallVector<UnwindStep, 4> kept;
  for (int step = current_; step != allocated && step != kLeaves; step = steps_[step].outer)
    kept.push_back(steps_[step]);
  current_ = before;
  for (const UnwindStep &step : llvm::reverse(kept))
    push(step);
}

void Unwinding::noteUnmodelled(const Stmt *statement) {
  auto note = [&](const char *reason) {
    if (unmodelled_.empty())
      unmodelled_ = reason;
  };
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement)) {
    if (assembly->isAsmGoto())
      note("assembly that jumps");
  } else if (isa<AsmStmt>(statement))
    note("inline assembly");
  else if (isa<IndirectGotoStmt, AddrLabelExpr>(statement))
    note("computed goto");
  else if (isa<CoroutineBodyStmt, CoawaitExpr, CoyieldExpr, CoreturnStmt>(statement))
    note("coroutine");
  else if (isa<OMPExecutableDirective, OMPCanonicalLoop, CapturedStmt>(statement))
    note("OpenMP");
  else if (isa<BlockExpr, SEHTryStmt, SEHLeaveStmt>(statement))
    note("language extension");
  else if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && (callee->hasAttr<ReturnsTwiceAttr>() ||
                   (callee->getIdentifier() &&
                    (callee->getName() == "setjmp" || callee->getName() == "_setjmp" ||
                     callee->getName() == "sigsetjmp" || callee->getName() == "__sigsetjmp" ||
                     callee->getName() == "vfork"))))
      note("function that returns twice");
}

void Unwinding::visitChildren(const Stmt *statement) {
  for (const Stmt *child : statement->children())
    visit(child);
}

void Unwinding::visit(const Stmt *statement) {
  if (!statement)
    return;
  noteUnmodelled(statement);
  int before = current_;
  switch (statement->getStmtClass()) {
  case Stmt::CompoundStmtClass:
  case Stmt::IfStmtClass:
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::SwitchStmtClass:
  case Stmt::CXXForRangeStmtClass:
  case Stmt::ExprWithCleanupsClass: // scopes: what was constructed inside is gone behind
    visitChildren(statement);
    current_ = before;
    return;
  case Stmt::DeclStmtClass:
    return visitDeclarations(cast<DeclStmt>(statement));
  case Stmt::CXXTryStmtClass:
    return visitTry(cast<CXXTryStmt>(statement));
  case Stmt::CXXNewExprClass:
    return visitNew(cast<CXXNewExpr>(statement));
  case Stmt::LambdaExprClass: // the body is another function
    for (const Expr *capture : cast<LambdaExpr>(statement)->capture_inits())
      visit(capture);
    return;
  case Stmt::CXXDefaultArgExprClass:
    return visit(cast<CXXDefaultArgExpr>(statement)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return visit(cast<CXXDefaultInitExpr>(statement)->getExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return visit(cast<CXXRewrittenBinaryOperator>(statement)->getSemanticForm());
  case Stmt::CXXBindTemporaryExprClass:
    stepAt_[statement] = current_;
    visitChildren(statement);
    pushDestructor(cast<Expr>(statement)->getType(), nullptr);
    return;
  default:
    visitChildren(statement);
    if (mayThrow(ast_, statement))
      stepAt_[statement] = current_;
    return;
  }
}

} // namespace retest
