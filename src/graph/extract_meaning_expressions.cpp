// The statements whose meaning takes more than a line: declarations, calls, literals, lambdas.
#include "graph/extract_assembly.h"
#include "graph/extract_literals.h"
#include "graph/extract_meaning.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

namespace {

enum PartMarker : std::uint64_t {
  kLocal = 2'000,
  kParameter,
  kCapture,
  kOuterLocal,
  kPosition,
  kField,
  kEnumerator,
  kFunction,
  kVariable,
};

bool isLocal(const ValueDecl *declaration) {
  return declaration->getParentFunctionOrMethod() != nullptr &&
         !isa<EnumConstantDecl, FunctionDecl, FieldDecl>(declaration) &&
         !(isa<VarDecl>(declaration) && cast<VarDecl>(declaration)->hasExternalStorage());
}

/// The index and kind of the capture through which a lambda's body sees a variable.
std::optional<std::uint64_t> captureOf(const FunctionDecl *function, const ValueDecl *variable) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || !method->getParent()->isLambda())
    return std::nullopt;
  std::uint64_t index = 0;
  for (const LambdaCapture &capture : method->getParent()->captures()) {
    if (capture.capturesVariable() && capture.getCapturedVar() == variable)
      return index * 8 + capture.getCaptureKind();
    ++index;
  }
  return std::nullopt;
}

bool hasCall(const Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(statement))
    if (!construction->getConstructor()->isTrivial())
      return true;
  // What is no child of the statement that it belongs to.
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
    return hasCall(argument->getExpr());
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement))
    return hasCall(member->getExpr());
  if (const auto *list = dyn_cast<InitListExpr>(statement); list && hasCall(list->getArrayFiller()))
    return true;
  return isa<CallExpr>(statement) ||
         llvm::any_of(statement->children(), [](const Stmt *child) { return hasCall(child); });
}

} // namespace

void Meaning::addLocal(const ValueDecl *local) {
  if (std::optional<std::uint64_t> capture = captureOf(function_, local)) {
    add(kCapture);
    add(*capture);
    return;
  }
  if (function_ && local->getParentFunctionOrMethod() != function_ &&
      isa<FunctionDecl>(local->getDeclContext())) {
    // Seen without a capture: a constant or a static of the enclosing function.
    add(kOuterLocal);
    add(unit_.hashOfName(cast<FunctionDecl>(local->getDeclContext())));
    add(isa<ParmVarDecl>(local) ? cast<ParmVarDecl>(local)->getFunctionScopeIndex()
                                : unit_.numberOfLocal(local));
    return;
  }
  if (const auto *parameter = dyn_cast<ParmVarDecl>(local)) {
    add(kParameter);
    add(parameter->getFunctionScopeIndex());
    if (isa<BlockDecl>(parameter->getDeclContext())) // not of the function around it
      add(parameter->getFunctionScopeDepth());
    return;
  }
  auto [entry, isNew] = nodeLocals_.try_emplace(local, locals.size());
  if (isNew)
    locals.push_back(unit_.numberOfLocal(local));
  add(kLocal);
  add(entry->second);
}

void Meaning::addVariable(const VarDecl *variable) {
  if (isLocal(variable)) {
    addLocal(variable);
  } else {
    add(kVariable);
    add(unit_.hashOfName(variable));
    addType(variable->getType());
    if (unit_.concernsProject(variable)) {
      uses.push_back({UseKind::Variable, unit_.nameOf(variable)});
      if (!unit_.isInProject(variable))
        unit_.externalVariables.insert(variable);
    }
  }
  add(variable->getTLSKind());
  add(unit_.hashOfConstant(variable));
  add(unit_.attributesOf(variable).low);
}

void Meaning::addFunction(const FunctionDecl *function, bool isCallee) {
  add(kFunction);
  add(unit_.hashOfName(function));
  addType(function->getType());
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  add((method && method->isVirtual()) | (function->isNoReturn() << 1));
  add(unit_.hashOfTemplate(function)); // overloads that are named alike
  // Which symbol is called and how; where the body is elsewhere, nobody but the caller shows it.
  add(unit_.attributesOf(function).low);
  if (!isCallee)
    uses.push_back({UseKind::Address, unit_.nameOf(function)});
  if (!unit_.isDeclaredInProject(function))
    unit_.externalFunctions.insert(function);
}

void Meaning::addDeclaration(const ValueDecl *declaration) {
  if (const auto *variable = dyn_cast<VarDecl>(declaration))
    return addVariable(variable);
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    return addFunction(function, false);
  if (const auto *enumerator = dyn_cast<EnumConstantDecl>(declaration)) {
    add(kEnumerator); // by value: its type is the expression's
    return addText(llvm::toString(enumerator->getInitVal(), 16));
  }
  if (const auto *field = dyn_cast<FieldDecl>(declaration)) {
    add(kField);
    add(unit_.hashOfName(field->getParent()));
    if (field->getParent()->isUnion()) // what one member wrote another reads
      use(UseKind::Layout, field->getParent());
    addText(unit_.entities.simpleName(field));
    add(field->getName().empty() ? field->getFieldIndex() : 0);
    addType(field->getType());
    add(field->isBitField() ? field->getBitWidthValue(unit_.ast) + 1 : 0);
    add(unit_.attributesOf(field).low); // counted_by, ...
    return;
  }
  if (isLocal(declaration)) // a structured binding
    return addLocal(declaration);
  if (const auto *binding = dyn_cast<BindingDecl>(declaration)) {
    if (const VarDecl *held = binding->getHoldingVar())
      addVariable(held);
    return addStatement(binding->getBinding());
  }
  add(unit_.hashOfName(declaration));
  addType(declaration->getType());
  if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
    addValue(object->getValue(), object->getType());
}

void Meaning::addLiteral(const Stmt *literal, bool isArgument) {
  const auto *expression = cast<Expr>(literal);
  if (const auto *text = dyn_cast<StringLiteral>(literal)) {
    bool isExact = true;
    add(Stmt::StringLiteralClass);
    add(static_cast<std::uint64_t>(text->getKind()));
    add(hashOfString(unit_, text, isArgument, isExact));
    if (isExact)
      addType(expression->getType());
    return;
  }
  if (isArgument && !unit_.options.lineSensitive)
    if (auto macro = positionMacro(unit_, expression->getBeginLoc())) {
      add(kPosition);
      return addText(*macro);
    }
  add(literal->getStmtClass());
  addType(expression->getType());
  if (const auto *integer = dyn_cast<IntegerLiteral>(literal))
    return addText(llvm::toString(integer->getValue(), 16, false));
  if (const auto *number = dyn_cast<FloatingLiteral>(literal))
    return addText(llvm::toString(number->getValue().bitcastToAPInt(), 16, false));
  add(cast<CharacterLiteral>(literal)->getValue());
}

void Meaning::addArguments(llvm::ArrayRef<const Expr *> arguments) {
  add(arguments.size());
  for (const Expr *argument : arguments)
    addArgument(argument);
}

void Meaning::addInitialisers(llvm::ArrayRef<const Expr *> initialisers) {
  add(initialisers.size());
  for (const Expr *initialiser : initialisers)
    addStatement(initialiser);
}

/// The instances of an external template for texts of different lengths are not told apart where
/// the length depends on the layout of a macro's argument.
void Meaning::addCallee(const CallExpr *call, const FunctionDecl *callee) {
  std::optional<std::string> name = nameWithoutLength(unit_, call, callee);
  if (!name)
    return addFunction(callee, true);
  addText(*name);
  unit_.externalFunctions.insert(callee);
}

void Meaning::addCall(const CallExpr *call) {
  if (call->hasStoredFPFeatures())
    add(call->getStoredFPFeatures().getAsOpaqueInt());
  const FunctionDecl *callee = call->getDirectCallee();
  // (object.*pointer)(...): Clang may know the callee, but the object is in this expression.
  const auto *binary = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens());
  if (callee && !(binary && binary->isPtrMemOp())) {
    addCallee(call, callee);
    if (callee->isTrivial() && isa<CXXMethodDecl>(callee)) // copies the object as it lies there
      use(UseKind::Layout, cast<CXXMethodDecl>(callee)->getParent());
    const auto *member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens());
    add(member && member->performsVirtualDispatch(unit_.ast.getLangOpts()));
    if (member)
      addStatement(member->getBase());
  } else {
    addStatement(call->getCallee());
  }
  for (const Expr *argument : call->arguments())
    usePlace(argument); // by reference
  addArguments({call->getArgs(), call->getNumArgs()});
  if (callee && callee->getBuiltinID() != 0 &&
      llvm::any_of(call->arguments(), [](const Expr *argument) { return hasCall(argument); }))
    addEvaluated(call);
  if (callee)
    useOpenArguments(call, callee);
}

void Meaning::addConstruction(const CXXConstructExpr *construction) {
  addFunction(construction->getConstructor(), true);
  add(static_cast<std::uint64_t>(construction->getConstructionKind()));
  add(construction->requiresZeroInitialization() | (construction->isElidable() << 1) |
      (construction->isStdInitListInitialization() << 2));
  if (construction->getConstructionKind() == CXXConstructionKind::Complete)
    useClass(UseKind::Constructs, construction->getType());
  useClass(UseKind::Layout, construction->getType());
  for (const Expr *argument : construction->arguments())
    usePlace(argument);
  addArguments({construction->getArgs(), construction->getNumArgs()});
}

void Meaning::addLambda(const LambdaExpr *lambda) {
  add(unit_.hashOfName(lambda->getLambdaClass()));
  addType(lambda->getCallOperator()->getType());
  auto initialiser = lambda->capture_init_begin();
  for (const LambdaCapture &capture : lambda->captures()) {
    add(capture.getCaptureKind());
    if (capture.capturesVariable() && !lambda->isInitCapture(&capture))
      addLocal(capture.getCapturedVar());
    addStatement(*initialiser++);
  }
  // Whoever has the closure may call it, also through a pointer that it converts to.
  const CXXRecordDecl *closure = lambda->getLambdaClass();
  if (const FunctionTemplateDecl *generic = closure->getDependentLambdaCallOperator()) {
    for (const FunctionDecl *instance : generic->specializations())
      uses.push_back({UseKind::Address, unit_.nameOf(instance)});
  } else {
    uses.push_back({UseKind::Address, unit_.nameOf(lambda->getCallOperator())});
  }
}

/// The size expressions in a type such as int (*)[n], which the type's name does not tell.
void Meaning::addSizes(QualType type) {
  if (!type->isVariablyModifiedType())
    return;
  if (const auto *array = unit_.ast.getAsVariableArrayType(type))
    addStatement(array->getSizeExpr());
  if (const ArrayType *array = unit_.ast.getAsArrayType(type))
    addSizes(array->getElementType());
  else if (!type->getPointeeType().isNull())
    addSizes(type->getPointeeType());
}

void Meaning::addAssembly(const GCCAsmStmt *assembly) {
  addText(assembly->getAsmString()->getBytes());
  llvm::append_range(uses, variablesNamedBy(unit_, assembly->getAsmString()->getBytes()));
  add(filesIncludedBy(unit_, assembly->getAsmString()->getBytes()).low);
  add(assembly->isVolatile() | (assembly->isSimple() << 1));
  for (unsigned i = 0; i < assembly->getNumOutputs(); ++i) {
    addText(assembly->getOutputConstraint(i));
    addText(assembly->getOutputName(i));
  }
  for (unsigned i = 0; i < assembly->getNumInputs(); ++i) {
    addText(assembly->getInputConstraint(i));
    addText(assembly->getInputName(i));
    addFolded(assembly->getInputExpr(i)); // an immediate is a number in the code
  }
  for (unsigned i = 0; i < assembly->getNumClobbers(); ++i)
    addText(assembly->getClobber(i));
  for (const Stmt *operand : assembly->children()) // which may be read as it lies in memory
    useClass(UseKind::Layout, cast<Expr>(operand)->getType());
  addChildren(assembly);
}

/// Which position means which field.
void Meaning::addFieldNames(QualType type) {
  const auto *record = type->getAsRecordDecl();
  if (!record || record->isUnion())
    return;
  for (const FieldDecl *field : record->fields())
    if (!field->isUnnamedBitField())
      addText(unit_.entities.simpleName(field));
}

/// Clang computes arrays of constants, the sizes of allocations, immediate operands of assembly and
/// most of its builtins while it compiles: a constexpr function in there runs no more, so its
/// counters stay at zero, and only the value shows that it changed.
void Meaning::addFolded(const Expr *expression) {
  if (hasCall(expression))
    addEvaluated(expression);
}

void Meaning::addParenList(const CXXParenListInitExpr *list) {
  useClass(UseKind::Constructs, list->getType());
  useClass(UseKind::Layout, list->getType());
  if (const FieldDecl *member = list->getInitializedFieldInUnion())
    addDeclaration(member);
  addFieldNames(list->getType());
  addArguments(const_cast<CXXParenListInitExpr *>(list)->getInitExprs());
  if (list->getArrayFiller())
    addStatement(list->getArrayFiller());
  if (list->getType()->isArrayType())
    addFolded(list);
}

void Meaning::addInitList(const InitListExpr *list) {
  if (const InitListExpr *semantic = list->getSemanticForm())
    list = semantic;
  useClass(UseKind::Constructs, list->getType());
  useClass(UseKind::Layout, list->getType());
  if (const FieldDecl *member = list->getInitializedFieldInUnion())
    addDeclaration(member);
  addFieldNames(list->getType());
  if (list->getType()->isRecordType())
    addArguments(const_cast<InitListExpr *>(list)->inits());
  else // no constructor: what is written is the value
    addInitialisers(const_cast<InitListExpr *>(list)->inits());
  if (list->hasArrayFiller())
    addStatement(list->getArrayFiller());
  if (list->getType()->isArrayType())
    addFolded(list);
}

void Meaning::addDeclStmt(const DeclStmt *statement) {
  for (const Decl *declaration : statement->decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || variable->hasExternalStorage())
      continue; // types and declarations act where they are used
    addVariable(variable);
    addType(variable->getType());
    addSizes(variable->getType());
    add(variable->getStorageDuration());
    useObject(UseKind::Layout, variable->getType());
    if (variable->isStaticLocal() && variable->needsDestruction(unit_.ast))
      addLaterDestructor(variable->getType()); // at exit
    const Expr *initialiser = variable->getInit();
    if (initialiser && variable->getType()->isReferenceType())
      usePlace(initialiser);
    addStatement(initialiser);
    // Clang evaluates these while compiling: a constexpr function that computes the value runs
    // no more, so its counters stay at zero, and only the value shows that it changed.
    QualType type = variable->getType();
    if (initialiser && !initialiser->isValueDependent() &&
        (variable->isStaticLocal() ||
         ((type->isArrayType() || type->isRecordType()) && type.isPODType(unit_.ast))))
      if (const APValue *value = variable->evaluateValue())
        addValue(*value, type);
    if (const auto *decomposed = dyn_cast<DecompositionDecl>(variable))
      for (const BindingDecl *binding : decomposed->bindings()) {
        addLocal(binding);
        addStatement(binding->getBinding());
      }
  }
}

} // namespace retest
