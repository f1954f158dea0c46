#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

namespace {

CallSite direct(UnitContext &unit, const FunctionDecl *callee) {
  return {CallKind::Direct, unit.nameOf(callee), {}};
}

CallSite dispatched(UnitContext &unit, const CXXMethodDecl *method, const CXXRecordDecl *receiver) {
  if (!unit.isInProject(receiver) && receiver->hasDefinition())
    unit.externalClasses.insert(receiver->getDefinition());
  return {CallKind::Virtual, unit.nameOf(method), unit.nameOf(receiver)};
}

/// Trivial functions and compiler builtins are operations of the node, no calls.
bool isOperation(const FunctionDecl *callee) {
  if (callee->isTrivial())
    return true;
  const IdentifierInfo *name = callee->getIdentifier();
  return name && callee->getBuiltinID() != 0 && name->getName().starts_with("__");
}

CallSite methodCall(UnitContext &unit, const CXXMethodDecl *method, const Expr *object,
                    bool dispatches) {
  if (!dispatches || !method->isVirtual())
    return direct(unit, method);
  // `final`, or an object whose class is known for certain.
  if (const auto *known =
          const_cast<CXXMethodDecl *>(method)->getDevirtualizedMethod(object, false))
    return direct(unit, known);
  QualType type = object->getType();
  if (!type->getPointeeType().isNull())
    type = type->getPointeeType();
  const CXXRecordDecl *receiver = type->getAsCXXRecordDecl();
  return dispatched(unit, method, receiver ? receiver : method->getParent());
}

std::optional<CallSite> callExpression(UnitContext &unit, const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee) {
    if (isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens()))
      return std::nullopt;
    return CallSite{CallKind::Indirect, {}, {}};
  }
  if (isOperation(callee))
    return std::nullopt;
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (const auto *binary = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens());
      binary && binary->isPtrMemOp() && method) // (object.*&C::method)()
    return methodCall(unit, method, binary->getLHS(), true);
  if (!method || !method->isImplicitObjectMemberFunction())
    return direct(unit, callee);
  if (isa<CXXOperatorCallExpr>(call))
    return methodCall(unit, method, call->getArg(0), true);
  const auto *member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens());
  if (!member)
    return direct(unit, callee);
  return methodCall(unit, method, member->getBase(),
                    member->performsVirtualDispatch(unit.ast.getLangOpts()));
}

} // namespace

CallSite destructorCall(UnitContext &unit, const CXXRecordDecl *record, bool mayDispatch) {
  const CXXDestructorDecl *destructor = record->getDestructor();
  if (!destructor)
    return {CallKind::Indirect, {}, {}};
  if (mayDispatch && destructor->isVirtual() && !record->isEffectivelyFinal())
    return dispatched(unit, destructor, record);
  return direct(unit, destructor);
}

std::optional<CallSite> callOf(UnitContext &unit, const Stmt *expression) {
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return callExpression(unit, call);
  const FunctionDecl *callee = nullptr;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expression))
    callee = construction->getConstructor();
  else if (const auto *inherited = dyn_cast<CXXInheritedCtorInitExpr>(expression))
    callee = inherited->getConstructor();
  else if (const auto *destruction = dyn_cast<CXXDeleteExpr>(expression))
    callee = destruction->getOperatorDelete();
  if (!callee || isOperation(callee))
    return std::nullopt;
  return direct(unit, callee);
}

} // namespace retest
