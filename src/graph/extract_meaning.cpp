#include "graph/extract_meaning.h"

#include "graph/extract_literals.h"

#include <clang/AST/Attr.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SaveAndRestore.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

namespace {

/// Words that stand where a statement's kind would; above all of Clang's kinds.
enum Marker : std::uint64_t {
  kNothing = 1'000,
  kReference,
  kLocal,
  kParameter,
  kCapture,
  kOuterLocal,
  kCast,
  kEvaluated,
  kPosition,
  kTerminator,
  kDestructor,
  kInitialiser,
  kHandler,
};

bool isVolatile(QualType type) {
  return type.isVolatileQualified() ||
         (!type->getPointeeType().isNull() && isVolatile(type->getPointeeType()));
}

/// Looks through what has no meaning of its own: parentheses, full expressions, substituted
/// template parameters, conversions that change nothing at run time.
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

/// What a pointer steps over; the type itself if it is none.
QualType pointee(QualType type) { return type->isPointerType() ? type->getPointeeType() : type; }

/// The class behind any number of pointers, references and arrays.
const RecordDecl *recordOf(QualType type) {
  type = type.getNonReferenceType();
  while (true) {
    if (const Type *pointee = type->getPointeeOrArrayElementType();
        pointee != type.getTypePtr() && !type->isReferenceType())
      type = QualType(pointee, 0);
    else
      return type->getAsRecordDecl();
  }
}

} // namespace

void Meaning::beginNode() {
  locals.clear();
  uses.clear();
  nodeLocals_.clear();
}

std::uint64_t Meaning::finish() {
  llvm::ArrayRef<std::uint8_t> bytes(reinterpret_cast<const std::uint8_t *>(words_.data()),
                                     words_.size() * sizeof(std::uint64_t));
  std::uint64_t hash = llvm::xxh3_64bits(bytes);
  words_.clear();
  root_ = nullptr;
  return hash;
}

std::uint64_t Meaning::ofStatement(const Stmt *statement) {
  root_ = statement;
  innerCalls.clear();
  addStatement(statement);
  return finish();
}

std::uint64_t Meaning::ofTerminator(std::uint64_t kind) {
  add(kTerminator);
  add(kind);
  return finish();
}

std::uint64_t Meaning::ofDestructor(const CXXRecordDecl *record, const VarDecl *variable,
                                    std::uint64_t kind) {
  add(kDestructor);
  add(kind);
  add(unit_.hashOfName(record));
  if (const CXXDestructorDecl *destructor = record->getDestructor())
    addFunction(destructor, true);
  if (variable && variable->getParentFunctionOrMethod())
    addLocal(variable);
  use(UseKind::Layout, record);
  return finish();
}

std::uint64_t Meaning::ofInitialiser(const CXXCtorInitializer *initialiser) {
  root_ = nullptr;
  innerCalls.clear();
  add(kInitialiser);
  if (const FieldDecl *field = initialiser->getAnyMember())
    addDeclaration(field);
  else if (initialiser->isBaseInitializer())
    addType(QualType(initialiser->getBaseClass(), 0));
  addStatement(initialiser->getInit());
  return finish();
}

std::uint64_t Meaning::ofSizes(QualType type) {
  addSizes(type);
  return finish();
}

std::uint64_t Meaning::ofHandler(const CXXCatchStmt *handler) {
  add(kHandler);
  QualType type = handler->getCaughtType();
  if (!type.isNull()) {
    addType(type);
    useClass(UseKind::Hierarchy, type);
    useClass(UseKind::Layout, type);
  }
  return finish();
}

void Meaning::use(UseKind kind, const RecordDecl *record) {
  if (!unit_.isInProject(record)) {
    // pair<M, int> lies in memory as M does; make_shared<M> makes an object with a vtable.
    const auto *external = dyn_cast_or_null<CXXRecordDecl>(record->getDefinition());
    if (!external || !(kind == UseKind::Layout
                           ? unit_.containsProjectType(external)
                           : external->isPolymorphic() &&
                                 unit_.namesProjectType(QualType(record->getTypeForDecl(), 0))))
      return;
    unit_.externalClasses.insert(external);
  }
  uses.push_back({kind, unit_.nameOf(record)});
}

void Meaning::useClass(UseKind kind, QualType type) {
  if (const RecordDecl *record = recordOf(type))
    use(kind, record);
}

void Meaning::useObject(UseKind kind, QualType type) {
  if (const RecordDecl *record = unit_.ast.getBaseElementType(type)->getAsRecordDecl())
    use(kind, record);
}

void Meaning::addText(llvm::StringRef text) { add(llvm::xxh3_64bits(text)); }

void Meaning::addValue(const APValue &value, QualType type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  unit_.entities.printValue(value, type, out);
  add(kEvaluated);
  addText(out.str());
  useTargets(value);
}

/// Who reads through an address reads what is there, who calls through it runs that.
void Meaning::useTargets(const APValue &value) {
  EntityNames::forEachTarget(value, [&](const ValueDecl *target) {
    if (isa<FunctionDecl>(target))
      uses.push_back({UseKind::Address, unit_.nameOf(target)});
    else if (const auto *variable = dyn_cast<VarDecl>(target);
             variable && !variable->isLocalVarDeclOrParm() && unit_.concernsProject(variable))
      uses.push_back({UseKind::Variable, unit_.nameOf(variable)});
  });
}

bool Meaning::addEvaluated(const Expr *expression) {
  Expr::EvalResult result;
  if (expression->isValueDependent() || !expression->EvaluateAsRValue(result, unit_.ast))
    return false;
  addValue(result.Val, expression->getType());
  return true;
}

void Meaning::addStatement(const Stmt *statement) {
  if (!statement) {
    add(kNothing);
    return;
  }
  llvm::SaveAndRestore implied(implied_);
  for (const Stmt *outer = nullptr; statement != outer; statement = withoutSugar(outer)) {
    if (isa<CXXDefaultArgExpr, CXXDefaultInitExpr>(statement))
      implied_ = statement;
    if (statement != root_ && distance_)
      if (unsigned distance = distance_(statement)) {
        add(kReference);
        add(distance);
        return;
      }
    outer = statement;
  }
  if (const auto *constant = dyn_cast<ConstantExpr>(statement)) {
    addType(constant->getType());
    if (constant->hasAPValueResult())
      addValue(constant->getAPValueResult(), constant->getType());
    else if (!addEvaluated(constant->getSubExpr()))
      addStatement(constant->getSubExpr());
    return;
  }
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral>(statement)) {
    addLiteral(statement, false);
    return;
  }
  const auto *expression = dyn_cast<Expr>(statement);
  add(isa<CastExpr>(statement) ? std::uint64_t{kCast} : statement->getStmtClass());
  if (expression && !isa<PredefinedExpr, SourceLocExpr>(expression)) {
    addType(expression->getType());
    add(expression->getValueKind());
  }
  if (std::optional<CallSite> call = statement == root_ ? std::nullopt : callOf(unit_, statement))
    innerCalls.push_back({statement, *call});
  addDetails(statement);
}

void Meaning::addChildren(const Stmt *statement) {
  std::size_t count = words_.size();
  add(0);
  for (const Stmt *child : statement->children()) {
    addStatement(child);
    ++words_[count];
  }
}

void Meaning::addDetails(const Stmt *statement) {
  switch (statement->getStmtClass()) {
  case Stmt::DeclRefExprClass:
    return addDeclaration(cast<DeclRefExpr>(statement)->getDecl());
  case Stmt::MemberExprClass:
    addDeclaration(cast<MemberExpr>(statement)->getMemberDecl());
    return addChildren(statement);
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass: {
    const auto *operation = cast<BinaryOperator>(statement);
    add(operation->getOpcode());
    if (operation->hasStoredFPFeatures())
      add(operation->getStoredFPFeatures().getAsOpaqueInt());
    // Arithmetic in units of the class, or, in C, a copy.
    for (const Expr *operand : {operation->getLHS(), operation->getRHS()})
      useObject(UseKind::Layout, operation->isAdditiveOp() || operation->isCompoundAssignmentOp()
                                     ? pointee(operand->getType())
                                     : operand->getType());
    return addChildren(statement);
  }
  case Stmt::UnaryOperatorClass:
    add(cast<UnaryOperator>(statement)->getOpcode());
    if (cast<UnaryOperator>(statement)->isIncrementDecrementOp())
      useObject(UseKind::Layout, pointee(cast<Expr>(statement)->getType()));
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
  case Stmt::CXXNewExprClass: {
    const auto *allocation = cast<CXXNewExpr>(statement);
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
    return addChildren(statement);
  }
  case Stmt::CXXDeleteExprClass: {
    const auto *destruction = cast<CXXDeleteExpr>(statement);
    add(destruction->isArrayForm() | (destruction->isGlobalDelete() << 1));
    if (const FunctionDecl *operatorDelete = destruction->getOperatorDelete())
      addFunction(operatorDelete, true);
    useClass(UseKind::Layout, destruction->getDestroyedType());
    return addChildren(statement);
  }
  case Stmt::CXXThrowExprClass:
    if (const Expr *thrown = cast<CXXThrowExpr>(statement)->getSubExpr()) {
      useClass(UseKind::Hierarchy, thrown->getType());
      useClass(UseKind::Layout, thrown->getType());
      addLaterDestructor(thrown->getType()); // behind the handler
    }
    return addChildren(statement);
  case Stmt::CXXTypeidExprClass: {
    const auto *query = cast<CXXTypeidExpr>(statement);
    if (query->isTypeOperand()) {
      addType(query->getTypeOperand(unit_.ast));
      return useClass(UseKind::Hierarchy, query->getTypeOperand(unit_.ast));
    }
    useClass(UseKind::Hierarchy, query->getExprOperand()->getType());
    return addChildren(statement);
  }
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
  default:
    break;
  }
  addChildren(cast);
}

} // namespace retest
