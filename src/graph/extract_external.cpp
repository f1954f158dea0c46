#include "graph/extract_external.h"

#include "graph/extract_destruction.h"

namespace retest {

using namespace clang;

std::vector<const FunctionDecl *> ExternalSearch::findMore() {
  for (; started_ < unit_.externalFunctions.size(); ++started_)
    reach(unit_.externalFunctions[started_], nullptr);
  while (!pending_.empty())
    look(pending_.pop_back_val());
  std::vector<const FunctionDecl *> found(marked_.begin() + returned_, marked_.end());
  returned_ = marked_.size();
  return found;
}

void ExternalSearch::look(const FunctionDecl *function) {
  from_ = function;
  if (namesProjectType(function))
    mark(function);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function)) {
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      visit(initialiser->getInit());
    reachVirtualMethods(constructor->getParent());
    reachDestructorsOfParts(constructor->getParent()); // when it fails
  } else if (const auto *destructor = dyn_cast<CXXDestructorDecl>(function)) {
    reachDestructorsOfParts(destructor->getParent());
    reachIfAny(destructor->getOperatorDelete());
  }
  visit(function->getBody());
}

bool ExternalSearch::namesProjectType(const FunctionDecl *function) {
  for (const DeclContext *context = function; context && !context->isFileContext();
       context = context->getParent()) {
    if (const auto *record = dyn_cast<CXXRecordDecl>(context))
      return unit_.namesProjectType(QualType(record->getTypeForDecl(), 0)) ||
             hasProjectArguments(function);
    if (const auto *enclosing = dyn_cast<FunctionDecl>(context);
        enclosing && hasProjectArguments(enclosing))
      return true;
  }
  return false;
}

bool ExternalSearch::hasProjectArguments(const FunctionDecl *function) {
  const TemplateArgumentList *arguments = function->getTemplateSpecializationArgs();
  return arguments && llvm::any_of(arguments->asArray(), [&](const TemplateArgument &argument) {
           return unit_.namesProjectType(argument);
         });
}

void ExternalSearch::mark(const FunctionDecl *function) {
  llvm::SmallVector<const FunctionDecl *, 8> open = {function};
  while (!open.empty()) {
    const FunctionDecl *next = open.pop_back_val();
    if (!marked_.insert(next))
      continue;
    auto callers = callers_.find(next);
    if (callers != callers_.end())
      open.append(callers->second.begin(), callers->second.end());
  }
}

void ExternalSearch::reach(const FunctionDecl *function, const FunctionDecl *caller) {
  if (unit_.isDeclaredInProject(function)) {
    if (caller)
      mark(caller);
    return;
  }
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition) || definition->isDependentContext())
    return;
  if (caller) {
    if (marked_.contains(definition))
      mark(caller);
    else
      callers_[definition].push_back(caller);
  }
  if (seen_.insert(definition).second) {
    pending_.push_back(definition);
    if (unit_.isDefinedInProject(definition))
      mark(definition);
  }
}

void ExternalSearch::reachIfAny(const FunctionDecl *function) {
  if (function)
    reach(function, from_);
}

/// Through a table of functions, or a static member that code of the project initialises.
void ExternalSearch::reachVariable(const VarDecl *variable) {
  if (!variable->hasGlobalStorage())
    return;
  // A hook in form of data, declared where it is read, or a trait.
  auto isOurs = [&](const VarDecl *redeclared) { return unit_.isInProject(redeclared); };
  if (llvm::any_of(variable->redecls(), isOurs))
    return mark(from_);
  if (unit_.concernsProject(variable) && !variable->isStaticLocal())
    unit_.externalVariables.insert(variable);
  const VarDecl *definition = nullptr;
  const Expr *initialiser = variable->getAnyInitializer(definition);
  if (initialiser && isTemplateInstantiation(variable->getTemplateSpecializationKind()) &&
      seenVariables_.insert({from_, definition}).second)
    visit(initialiser);
}

void ExternalSearch::reachDestructor(QualType type) {
  if (const CXXDestructorDecl *destructor = destructorOf(unit_.ast, type))
    reach(destructor, from_);
}

void ExternalSearch::reachDestructorsOfParts(const CXXRecordDecl *record) {
  for (const CXXBaseSpecifier &base : record->bases())
    reachDestructor(base.getType());
  for (const FieldDecl *field : record->fields())
    reachDestructor(field->getType());
}

/// A generic lambda may be called through a pointer that it converts to: no call tells.
void ExternalSearch::reachLambda(const LambdaExpr *lambda) {
  if (const FunctionTemplateDecl *generic =
          lambda->getLambdaClass()->getDependentLambdaCallOperator())
    for (const FunctionDecl *instance : generic->specializations())
      reach(instance, from_);
  else
    reach(lambda->getCallOperator(), from_);
  for (const Expr *capture : lambda->capture_inits())
    visit(capture);
}

void ExternalSearch::reachDeclared(const VarDecl *variable) {
  reachDestructor(variable->getType());
  if (const auto *decomposed = dyn_cast<DecompositionDecl>(variable))
    for (const BindingDecl *binding : decomposed->bindings())
      if (const VarDecl *held = binding->getHoldingVar()) // calls get<0>
        visit(held->getInit());
}

/// Whoever constructs an object of a class may cause any of its virtual methods to be called.
void ExternalSearch::reachVirtualMethods(const CXXRecordDecl *record) {
  if (!record->isPolymorphic() || !unit_.namesProjectType(QualType(record->getTypeForDecl(), 0)))
    return;
  unit_.externalClasses.insert(record->getDefinition());
  for (const CXXMethodDecl *method : record->methods())
    if (method->isVirtual())
      reach(method, nullptr);
}

/// Types of the project that come in by a trait, which no template argument tells.
void ExternalSearch::reachTypes(const Stmt *statement) {
  auto see = [&](QualType type) {
    if (!type.isNull() && (unit_.namesProjectType(type) || unit_.isAliasOfProject(type)))
      mark(from_);
  };
  if (const auto *expression = dyn_cast<Expr>(statement))
    see(expression->getType());
  if (const auto *handler = dyn_cast<CXXCatchStmt>(statement))
    see(handler->getCaughtType());
  else if (const auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(statement))
    see(trait->getTypeOfArgument());
  else if (const auto *type = dyn_cast<CXXTypeidExpr>(statement); type && type->isTypeOperand())
    see(type->getTypeOperand(unit_.ast));
  else if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
        see(variable->getType());
        seeWritten(variable);
      }
  reachWritten(statement);
}

void ExternalSearch::seeWritten(const DeclaratorDecl *declaration) {
  if (const TypeSourceInfo *written = declaration->getTypeSourceInfo();
      written && unit_.mentionsProject(written->getTypeLoc()))
    mark(from_);
}

/// Qualifiers and template arguments: a trait may leave nothing else of the project behind.
void ExternalSearch::reachWritten(const Stmt *statement) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    if (unit_.mentionsProject(reference->getQualifierLoc()) ||
        unit_.mentionsProject(reference->template_arguments()))
      mark(from_);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    if (unit_.mentionsProject(member->getQualifierLoc()) ||
        unit_.mentionsProject(member->template_arguments()))
      mark(from_);
    if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl()))
      seeWritten(field);
  } else if (const auto *conversion = dyn_cast<ExplicitCastExpr>(statement)) {
    if (const TypeSourceInfo *written = conversion->getTypeInfoAsWritten();
        written && unit_.mentionsProject(written->getTypeLoc()))
      mark(from_);
  } else if (const auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(statement)) {
    if (trait->isArgumentType() &&
        unit_.mentionsProject(trait->getArgumentTypeInfo()->getTypeLoc()))
      mark(from_);
  }
}

void ExternalSearch::visit(const Stmt *statement) {
  if (!statement)
    return;
  if (!marked_.contains(from_))
    reachTypes(statement);
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
      reach(function, from_);
    else if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      reachVariable(variable);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    if (const auto *function = dyn_cast<FunctionDecl>(member->getMemberDecl()))
      reach(function, from_);
    else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
      reachVariable(variable);
  } else if (const auto *construction = dyn_cast<CXXConstructExpr>(statement)) {
    reach(construction->getConstructor(), from_);
  } else if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(statement)) {
    reachDestructor(temporary->getType());
  } else if (const auto *allocation = dyn_cast<CXXNewExpr>(statement)) {
    reachIfAny(allocation->getOperatorNew());
    reachIfAny(allocation->getOperatorDelete()); // when the constructor fails
  } else if (const auto *destruction = dyn_cast<CXXDeleteExpr>(statement)) {
    reachDestructor(destruction->getDestroyedType());
    reachIfAny(destruction->getOperatorDelete());
  } else if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        reachDeclared(variable);
  } else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement)) {
    visit(argument->getExpr());
  } else if (const auto *initialiser = dyn_cast<CXXDefaultInitExpr>(statement)) {
    visit(initialiser->getExpr());
  } else if (const auto *inherited = dyn_cast<CXXInheritedCtorInitExpr>(statement)) {
    reach(inherited->getConstructor(), from_);
  } else if (const auto *list = dyn_cast<InitListExpr>(statement)) {
    visit(list->getArrayFiller()); // no child of the list
  } else if (const auto *values = dyn_cast<CXXParenListInitExpr>(statement)) {
    visit(values->getArrayFiller());
  } else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    return reachLambda(lambda);
  }
  for (const Stmt *child : statement->children())
    visit(child);
}

} // namespace retest
