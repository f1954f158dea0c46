#include "graph/extract_sugar.h"

#include <clang/AST/ExprCXX.h>

namespace retest {

using namespace clang;

namespace {

bool isVolatile(QualType type) {
  return type.isVolatileQualified() ||
         (!type->getPointeeType().isNull() && isVolatile(type->getPointeeType()));
}

} // namespace

const Stmt *withoutSugar(const Stmt *statement) {
  if (const auto *paren = dyn_cast<ParenExpr>(statement))
    return paren->getSubExpr();
  if (const auto *full = dyn_cast<ExprWithCleanups>(statement))
    return full->getSubExpr();
  if (const auto *substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(statement))
    return substituted->getReplacement();
  if (const auto *selection = dyn_cast<GenericSelectionExpr>(statement))
    return selection->isResultDependent() ? statement : selection->getResultExpr();
  if (const auto *chosen = dyn_cast<ChooseExpr>(statement))
    return chosen->isConditionDependent() ? statement : chosen->getChosenSubExpr();
  if (const auto *rewritten = dyn_cast<CXXRewrittenBinaryOperator>(statement))
    return rewritten->getSemanticForm();
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
    return argument->getExpr();
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement))
    return member->getExpr();
  if (const auto *extension = dyn_cast<UnaryOperator>(statement))
    return extension->getOpcode() == UO_Extension ? extension->getSubExpr() : statement;
  if (const auto *attributed = dyn_cast<AttributedStmt>(statement))
    return attributed->getSubStmt();
  if (const auto *label = dyn_cast<LabelStmt>(statement))
    return label->getSubStmt();
  if (const auto *cast = dyn_cast<CastExpr>(statement)) {
    switch (cast->getCastKind()) {
    case CK_NoOp: // unless it says that the value may change by itself
      return isVolatile(cast->getType()) == isVolatile(cast->getSubExpr()->getType())
                 ? cast->getSubExpr()
                 : statement;
    case CK_FunctionToPointerDecay:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return cast->getSubExpr();
    default:
      return statement;
    }
  }
  return statement;
}

} // namespace retest
