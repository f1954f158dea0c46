#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

namespace {

CallSite direct(UnitContext &unit, const FunctionDecl *callee) {
  return {CallKind::Direct, unit.nameOf(callee), {}};
}

/// The type of a text made by #, if a parameter takes it as an array of just that length.
std::optional<QualType> stringifiedArray(const UnitContext &unit, const Expr *argument,
                                         QualType parameter) {
  const auto *literal = dyn_cast<StringLiteral>(argument->IgnoreParenImpCasts());
  if (!literal || !parameter.getNonReferenceType()->isConstantArrayType())
    return std::nullopt;
  auto isMade = [&](SourceLocation token) { return unit.places.isInScratchSpace(token); };
  return std::any_of(literal->tokloc_begin(), literal->tokloc_end(), isMade)
             ? std::optional(literal->getType())
             : std::nullopt;
}

void replaceAll(std::string &text, llvm::StringRef what, llvm::StringRef with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
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
  if (std::optional<std::string> name = nameWithoutLength(unit, call, callee))
    return CallSite{CallKind::Direct, unit.names.intern(*name), {}};
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

std::optional<std::string> nameWithoutLength(UnitContext &unit, const CallExpr *call,
                                             const FunctionDecl *callee) {
  if (!callee->getTemplateSpecializationArgs() || unit.isInProject(callee))
    return std::nullopt;
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  unsigned first = isa<CXXOperatorCallExpr>(call) && method && !method->isStatic() ? 1 : 0;
  std::optional<std::string> name;
  for (unsigned i = first; i < call->getNumArgs() && i - first < callee->getNumParams(); ++i)
    if (std::optional<QualType> type =
            stringifiedArray(unit, call->getArg(i), callee->getParamDecl(i - first)->getType())) {
      if (!name)
        name = unit.entities.of(callee).str();
      llvm::StringRef array = unit.entities.ofType(*type);
      array.consume_front("const ");
      replaceAll(*name, array, array.take_until([](char c) { return c == '['; }).str() + "[]");
    }
  return name;
}

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
