#include "graph/extract_external.h"

namespace retest {

using namespace clang;

namespace {

bool isInstantiation(const FunctionDecl *function) {
  for (const DeclContext *context = function; context && !context->isFileContext();
       context = context->getParent()) {
    if (isa<ClassTemplateSpecializationDecl>(context))
      return true;
    if (const auto *enclosing = dyn_cast<FunctionDecl>(context);
        enclosing && enclosing->isTemplateInstantiation())
      return true;
  }
  return false;
}

} // namespace

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
  } else if (const auto *destructor = dyn_cast<CXXDestructorDecl>(function)) {
    for (const CXXBaseSpecifier &base : destructor->getParent()->bases())
      reachDestructor(base.getType());
    for (const FieldDecl *field : destructor->getParent()->fields())
      reachDestructor(field->getType());
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
  if (unit_.isInProject(function)) {
    if (caller)
      mark(caller);
    return;
  }
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition) || definition->isDependentContext() ||
      !isInstantiation(definition))
    return;
  if (caller) {
    if (marked_.contains(definition))
      mark(caller);
    else
      callers_[definition].push_back(caller);
  }
  if (seen_.insert(definition).second)
    pending_.push_back(definition);
}

void ExternalSearch::reachDestructor(QualType type) {
  const CXXRecordDecl *record = unit_.ast.getBaseElementType(type)->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor() &&
      record->getDestructor())
    reach(record->getDestructor(), from_);
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

void ExternalSearch::visit(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
      reach(function, from_);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    if (const auto *function = dyn_cast<FunctionDecl>(member->getMemberDecl()))
      reach(function, from_);
  } else if (const auto *construction = dyn_cast<CXXConstructExpr>(statement)) {
    reach(construction->getConstructor(), from_);
  } else if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(statement)) {
    reachDestructor(temporary->getType());
  } else if (const auto *allocation = dyn_cast<CXXNewExpr>(statement)) {
    if (allocation->getOperatorNew())
      reach(allocation->getOperatorNew(), from_);
  } else if (const auto *destruction = dyn_cast<CXXDeleteExpr>(statement)) {
    reachDestructor(destruction->getDestroyedType());
  } else if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        reachDestructor(variable->getType());
  } else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement)) {
    visit(argument->getExpr());
  } else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    reach(lambda->getCallOperator(), from_);
    for (const Expr *capture : lambda->capture_inits())
      visit(capture);
    return;
  }
  for (const Stmt *child : statement->children())
    visit(child);
}

} // namespace retest
