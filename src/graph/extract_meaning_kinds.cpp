// What each kind of statement adds to its meaning besides its kind and type.
#include "graph/extract_literals.h"
#include "graph/extract_meaning.h"

#include <llvm/ADT/StringExtras.h>

namespace retest {

using namespace clang;

namespace {

/// What a pointer steps over; the type itself if it is none.
QualType pointee(QualType type) { return type->isPointerType() ? type->getPointeeType() : type; }

} // namespace

void Meaning::addDetails(const Stmt *statement) {
  switch (statement->getStmtClass()) {
  case Stmt::DeclRefExprClass:
    return addDeclaration(cast<DeclRefExpr>(statement)->getDecl());
  case Stmt::MemberExprClass:
    addDeclaration(cast<MemberExpr>(statement)->getMemberDecl());
    return addChildren(statement);
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return addBinary(cast<BinaryOperator>(statement));
  case Stmt::UnaryOperatorClass:
    add(cast<UnaryOperator>(statement)->getOpcode());
    if (cast<UnaryOperator>(statement)->isIncrementDecrementOp())
      useObject(UseKind::Layout, pointee(cast<Expr>(statement)->getType()));
    if (cast<UnaryOperator>(statement)->getOpcode() == UO_AddrOf)
      usePlace(cast<UnaryOperator>(statement)->getSubExpr());
    return addChildren(statement);
  case Stmt::ArraySubscriptExprClass:
    useObject(UseKind::Layout, cast<Expr>(statement)->getType());
    return addChildren(statement);
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    return addCall(cast<CallExpr>(statement));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return addConstruction(cast<CXXConstructExpr>(statement));
  case Stmt::CXXInheritedCtorInitExprClass:
    return addFunction(cast<CXXInheritedCtorInitExpr>(statement)->getConstructor(), true);
  case Stmt::LambdaExprClass:
    return addLambda(cast<LambdaExpr>(statement));
  case Stmt::BlockExprClass:
    return addBlock(cast<BlockExpr>(statement)->getBlockDecl());
  case Stmt::InitListExprClass:
    return addInitList(cast<InitListExpr>(statement));
  case Stmt::CXXParenListInitExprClass:
    return addParenList(cast<CXXParenListInitExpr>(statement));
  case Stmt::ExtVectorElementExprClass:
    addText(cast<ExtVectorElementExpr>(statement)->getAccessor().getName());
    return addChildren(statement);
  case Stmt::EmbedExprClass:
    return addText(cast<EmbedExpr>(statement)->getDataStringLiteral()->getBytes());
  case Stmt::DeclStmtClass:
    return addDeclStmt(cast<DeclStmt>(statement));
  case Stmt::CXXBoolLiteralExprClass:
    return add(cast<CXXBoolLiteralExpr>(statement)->getValue());
  case Stmt::FixedPointLiteralClass:
    return addText(llvm::toString(cast<FixedPointLiteral>(statement)->getValue(), 16, true));
  case Stmt::PredefinedExprClass: { // the function's own name: its identity already
    const auto *name = cast<PredefinedExpr>(statement);
    add(static_cast<std::uint64_t>(name->getIdentKind()));
    return addText(prettyText(unit_, name, function_));
  }
  case Stmt::SourceLocExprClass:
    return addPosition(cast<SourceLocExpr>(statement), false);
  case Stmt::UnaryExprOrTypeTraitExprClass: {
    const auto *trait = cast<UnaryExprOrTypeTraitExpr>(statement);
    add(trait->getKind());
    useClass(UseKind::Layout, trait->getTypeOfArgument());
    if (!addEvaluated(trait))
      addChildren(statement); // the size of a variable-length array
    return;
  }
  case Stmt::OffsetOfExprClass:
    useClass(UseKind::Layout, cast<OffsetOfExpr>(statement)->getTypeSourceInfo()->getType());
    if (!addEvaluated(cast<Expr>(statement)))
      addChildren(statement);
    return;
  case Stmt::TypeTraitExprClass:
  case Stmt::ArrayTypeTraitExprClass:
  case Stmt::ExpressionTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::ConceptSpecializationExprClass:
  case Stmt::RequiresExprClass:
  case Stmt::SizeOfPackExprClass: // by value: how it is spelled does not matter
    if (!addEvaluated(cast<Expr>(statement)))
      addChildren(statement);
    return;
  case Stmt::ShuffleVectorExprClass: {
    const auto *shuffle = cast<ShuffleVectorExpr>(statement);
    for (unsigned i = 2; i < shuffle->getNumSubExprs(); ++i)
      addFolded(shuffle->getExpr(i));
    return addChildren(statement);
  }
  case Stmt::CXXNewExprClass:
    return addNew(cast<CXXNewExpr>(statement));
  case Stmt::CXXDeleteExprClass:
    return addDelete(cast<CXXDeleteExpr>(statement));
  case Stmt::CXXThrowExprClass:
    return addThrow(cast<CXXThrowExpr>(statement));
  case Stmt::CXXTypeidExprClass:
    return addTypeid(cast<CXXTypeidExpr>(statement));
  case Stmt::MaterializeTemporaryExprClass:
    add(cast<MaterializeTemporaryExpr>(statement)->getStorageDuration());
    if (cast<MaterializeTemporaryExpr>(statement)->getStorageDuration() != SD_FullExpression)
      addLaterDestructor(cast<Expr>(statement)->getType()); // with what refers to it
    return addChildren(statement);
  case Stmt::CXXBindTemporaryExprClass:
    addFunction(cast<CXXBindTemporaryExpr>(statement)->getTemporary()->getDestructor(), true);
    return addChildren(statement);
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::ImplicitValueInitExprClass:
    return useClass(UseKind::Layout, cast<Expr>(statement)->getType());
  case Stmt::OpaqueValueExprClass: // written down where it is bound
    return;
  case Stmt::BinaryConditionalOperatorClass: {
    const auto *choice = cast<BinaryConditionalOperator>(statement);
    addStatement(choice->getCommon());
    return addStatement(choice->getFalseExpr());
  }
  case Stmt::ArrayInitLoopExprClass: {
    const auto *loop = cast<ArrayInitLoopExpr>(statement);
    addStatement(loop->getCommonExpr()->getSourceExpr());
    return addStatement(loop->getSubExpr());
  }
  case Stmt::AtomicExprClass:
    add(cast<AtomicExpr>(statement)->getOp());
    return addChildren(statement);
  case Stmt::GCCAsmStmtClass:
    return addAssembly(cast<GCCAsmStmt>(statement));
  case Stmt::ReturnStmtClass:
    add(cast<ReturnStmt>(statement)->getNRVOCandidate() != nullptr);
    return addChildren(statement);
  case Stmt::CXXCatchStmtClass:
    return; // its own node
  default:
    if (const auto *cast = dyn_cast<CastExpr>(statement))
      return addCast(cast);
    return addChildren(statement);
  }
}

void Meaning::addBinary(const BinaryOperator *operation) {
  add(operation->getOpcode());
  if (operation->hasStoredFPFeatures())
    add(operation->getStoredFPFeatures().getAsOpaqueInt());
  // Arithmetic in units of the class, or, in C, a copy.
  for (const Expr *operand : {operation->getLHS(), operation->getRHS()})
    useObject(UseKind::Layout, operation->isAdditiveOp() || operation->isCompoundAssignmentOp()
                                   ? pointee(operand->getType())
                                   : operand->getType());
  addChildren(operation);
}

void Meaning::addNew(const CXXNewExpr *allocation) {
  add(allocation->isArray() | (allocation->isGlobalNew() << 1));
  if (const FunctionDecl *operatorNew = allocation->getOperatorNew())
    addFunction(operatorNew, true);
  if (const FunctionDecl *operatorDelete = allocation->getOperatorDelete())
    addFunction(operatorDelete, true);
  addType(allocation->getAllocatedType());
  if (const CXXRecordDecl *record = allocation->getAllocatedType()->getAsCXXRecordDecl();
      record && allocation->isArray()) // then its length is kept beside it
    add(record->hasTrivialDestructor());
  useClass(UseKind::Layout, allocation->getAllocatedType());
  if (allocation->isArray() && allocation->getArraySize().value_or(nullptr))
    addFolded(*allocation->getArraySize());
  addChildren(allocation);
}

void Meaning::addDelete(const CXXDeleteExpr *destruction) {
  add(destruction->isArrayForm() | (destruction->isGlobalDelete() << 1));
  if (const FunctionDecl *operatorDelete = destruction->getOperatorDelete())
    addFunction(operatorDelete, true);
  useClass(UseKind::Layout, destruction->getDestroyedType());
  addChildren(destruction);
}

void Meaning::addThrow(const CXXThrowExpr *thrower) {
  if (const Expr *thrown = thrower->getSubExpr()) {
    useClass(UseKind::Hierarchy, thrown->getType());
    useClass(UseKind::Layout, thrown->getType());
    addLaterDestructor(thrown->getType()); // behind the handler
  }
  addChildren(thrower);
}

void Meaning::addTypeid(const CXXTypeidExpr *query) {
  if (query->isTypeOperand()) {
    addType(query->getTypeOperand(unit_.ast));
    return useClass(UseKind::Hierarchy, query->getTypeOperand(unit_.ast));
  }
  useClass(UseKind::Hierarchy, query->getExprOperand()->getType());
  addChildren(query);
}

void Meaning::addCast(const CastExpr *cast) {
  add(cast->getCastKind());
  if (const auto *written = dyn_cast<ExplicitCastExpr>(cast))
    addSizes(written->getTypeAsWritten());
  if (cast->hasStoredFPFeatures())
    add(cast->getStoredFPFeatures().getAsOpaqueInt());
  switch (cast->getCastKind()) {
  case CK_Dynamic:
    useClass(UseKind::Hierarchy, cast->getType());
    useClass(UseKind::Hierarchy, cast->getSubExpr()->getType());
    break;
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_LValueToRValueBitCast:
  case CK_BaseToDerived:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_ReinterpretMemberPointer:
  case CK_BaseToDerivedMemberPointer:
  case CK_DerivedToBaseMemberPointer:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
  case CK_ToUnion:
  case CK_LValueToRValue: // of a struct, in C
    if (cast->getCastKind() == CK_LValueToRValue && !cast->getType()->isRecordType())
      break;
    useClass(UseKind::Layout, cast->getType());
    useClass(UseKind::Layout, cast->getSubExpr()->getType());
    break;
  case CK_ArrayToPointerDecay:
    usePlace(cast->getSubExpr());
    break;
  default:
    break;
  }
  addChildren(cast);
}

} // namespace retest
