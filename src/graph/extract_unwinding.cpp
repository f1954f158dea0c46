#include "graph/extract_unwinding.h"

#include "graph/extract_destruction.h"
#include "graph/extract_reordered.h"

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
    return !query->isTypeOperand(); // for a null pointer to a class that is or becomes polymorphic
  return isa<CXXThrowExpr>(expression);
}

Unwinding::Unwinding(ASTContext &ast, const FunctionDecl *function, const Stmt *body) : ast_(ast) {
  if (const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(function))
    visitConstructor(constructor, body);
  else if (const auto *destructor = dyn_cast_or_null<CXXDestructorDecl>(function))
    visitDestructor(destructor, body);
  else
    visit(body);
}

llvm::ArrayRef<int> Unwinding::stepsAt(const Stmt *statement) const {
  static constexpr int kOutside[] = {kLeaves};
  auto found = stepsAt_.find(statement);
  return found == stepsAt_.end() ? llvm::ArrayRef<int>(kOutside) : found->second;
}

int Unwinding::stepBehind(const DeclaratorDecl *object) const {
  auto found = stepBehind_.find(object);
  return found == stepBehind_.end() ? kLeaves : found->second;
}

int Unwinding::stepBehind(const CXXBaseSpecifier *base) const {
  auto found = stepBehind_.find(base);
  return found == stepBehind_.end() ? kLeaves : found->second;
}

llvm::ArrayRef<const CXXRecordDecl *> Unwinding::endingWith(const VarDecl *variable) const {
  auto found = endingWith_.find(variable);
  if (found == endingWith_.end())
    return {};
  return found->second;
}

void Unwinding::noteStep(const Stmt *statement) {
  llvm::SmallVector<int, 1> &steps = stepsAt_[statement];
  if (!llvm::is_contained(steps, current_))
    steps.push_back(current_);
}

void Unwinding::push(UnwindStep step) {
  step.outer = current_;
  current_ = static_cast<int>(steps_.size());
  steps_.push_back(step);
}

bool Unwinding::pushDestructor(QualType type, const VarDecl *variable) {
  const CXXDestructorDecl *destructor = destructorOf(ast_, type);
  if (destructor)
    push({UnwindStep::Kind::Destroy, destructor->getParent(), variable, nullptr, nullptr, kLeaves});
  return destructor != nullptr;
}

/// For the time in which the elements are constructed.
bool Unwinding::pushFinishedElements(QualType array) {
  const auto *known = ast_.getAsConstantArrayType(array);
  if (!array->isArrayType() || (known && ast_.getConstantArrayElementCount(known) < 2))
    return false;
  const CXXDestructorDecl *destructor = destructorOf(ast_, array);
  if (destructor)
    push({UnwindStep::Kind::DestroyFinished, destructor->getParent(), nullptr, nullptr, nullptr,
          kLeaves});
  return destructor != nullptr;
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

/// Whatever the body does, members and bases are destroyed behind it, and the handlers of a
/// function-try-block take what that throws.
void Unwinding::visitDestructor(const CXXDestructorDecl *destructor, const Stmt *body) {
  const auto *functionTry = dyn_cast_or_null<CXXTryStmt>(body);
  if (functionTry)
    push({UnwindStep::Kind::Try, nullptr, nullptr, nullptr, functionTry, kLeaves});
  const CXXRecordDecl *record = destructor->getParent();
  auto pushBase = [&](const CXXBaseSpecifier &base) {
    stepBehind_[&base] = current_;
    pushDestructor(base.getType(), nullptr);
  };
  for (const CXXBaseSpecifier &base : record->vbases())
    pushBase(base);
  for (const CXXBaseSpecifier &base : record->bases())
    if (!base.isVirtual())
      pushBase(base);
  for (const FieldDecl *field : record->fields()) {
    stepBehind_[field] = current_;
    pushDestructor(field->getType(), nullptr);
  }
  visit(functionTry ? functionTry->getTryBlock() : body);
  current_ = kLeaves;
  if (functionTry)
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
      stepBehind_[variable] = current_;
      if (!variable->getType()->isReferenceType())
        pushDestructor(variable->getType(), variable);
    }
    visit(handler->getHandlerBlock());
    current_ = outside;
  }
}

/// The lengths of arrays that are computed at run time.
void Unwinding::visitSizes(QualType type) {
  if (!type->isVariablyModifiedType())
    return;
  if (const auto *array = ast_.getAsVariableArrayType(type))
    visit(array->getSizeExpr());
  if (const ArrayType *array = ast_.getAsArrayType(type))
    visitSizes(array->getElementType());
  else if (!type->getPointeeType().isNull())
    visitSizes(type->getPointeeType());
}

/// Clang's flow graph knows the temporary that a reference is bound to, the last one.
void Unwinding::noteExtended(const VarDecl *variable, llvm::ArrayRef<QualType> temporaries) {
  if (variable->getType()->isReferenceType() && !temporaries.empty())
    temporaries = temporaries.drop_back();
  for (QualType type : temporaries)
    if (const CXXDestructorDecl *destructor = destructorOf(ast_, type))
      endingWith_[variable].push_back(destructor->getParent());
}

void Unwinding::visitVariable(const VarDecl *variable) {
  stepBehind_[variable] = current_;
  int before = current_;
  auto outer = std::exchange(extended_, {});
  visitSizes(variable->getType());
  visit(variable->getInit());
  auto extended = std::exchange(extended_, std::move(outer));
  current_ = before;
  if (variable->hasLocalStorage()) {
    noteExtended(variable, extended);
    for (QualType type : extended)
      pushDestructor(type, variable);
    if (!variable->getType()->isReferenceType())
      pushDestructor(variable->getType(), variable);
  }
  if (const auto *decomposed = dyn_cast<DecompositionDecl>(variable))
    for (const BindingDecl *binding : decomposed->bindings())
      if (const VarDecl *held = binding->getHoldingVar()) // what get<0>() gave
        visitVariable(held);
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
  if (isa<BinaryOperator, CXXOperatorCallExpr>(statement)) {
    for (const Stmt *operand : operandsAsTheyRun(statement))
      visit(operand);
    return;
  }
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
    for (const Decl *declaration : cast<DeclStmt>(statement)->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        visitVariable(variable);
    return;
  case Stmt::CXXTryStmtClass:
    return visitTry(cast<CXXTryStmt>(statement));
  case Stmt::CXXNewExprClass:
    return visitNew(cast<CXXNewExpr>(statement));
  case Stmt::LambdaExprClass: // the body is another function
    return visitCaptures(cast<LambdaExpr>(statement));
  case Stmt::InitListExprClass: {
    const auto *list = cast<InitListExpr>(statement);
    if (const InitListExpr *semantic = list->getSemanticForm())
      list = semantic;
    return visitList(list, const_cast<InitListExpr *>(list)->inits(), list->getArrayFiller());
  }
  case Stmt::CXXParenListInitExprClass: {
    const auto *list = cast<CXXParenListInitExpr>(statement);
    return visitList(list, const_cast<CXXParenListInitExpr *>(list)->getInitExprs(),
                     list->getArrayFiller());
  }
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return visitConstruction(cast<Expr>(statement));
  case Stmt::ArrayInitLoopExprClass:
    return visitArrayCopy(cast<ArrayInitLoopExpr>(statement));
  case Stmt::MaterializeTemporaryExprClass: {
    const auto *temporary = cast<MaterializeTemporaryExpr>(statement);
    if (temporary->getStorageDuration() == SD_FullExpression)
      return visitChildren(statement);
    visitPart(temporary->getSubExpr());
    extended_.push_back(temporary->getType());
    return;
  }
  case Stmt::CXXThrowExprClass: // the operand becomes the exception object
    if (const Expr *thrown = cast<CXXThrowExpr>(statement)->getSubExpr())
      visitPart(thrown);
    return noteStep(statement);
  case Stmt::CXXDefaultArgExprClass:
    return visit(cast<CXXDefaultArgExpr>(statement)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return visit(cast<CXXDefaultInitExpr>(statement)->getExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return visit(cast<CXXRewrittenBinaryOperator>(statement)->getSemanticForm());
  case Stmt::CXXBindTemporaryExprClass:
    noteStep(statement);
    visitChildren(statement);
    pushDestructor(cast<Expr>(statement)->getType(), nullptr);
    return;
  default:
    visitChildren(statement);
    if (mayThrow(ast_, statement))
      noteStep(statement);
    return;
  }
}

} // namespace retest
