#include "graph/extract_context.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

std::uint64_t UnitContext::hashOfName(const NamedDecl *declaration) {
  std::uint64_t &hash = nameHashes_[declaration->getCanonicalDecl()];
  if (hash == 0) {
    std::uint64_t computed = llvm::xxh3_64bits(entities.of(declaration));
    return nameHashes_[declaration->getCanonicalDecl()] = computed;
  }
  return hash;
}

std::uint64_t UnitContext::hashOfType(QualType type) {
  void *key = type.getCanonicalType().getAsOpaquePtr();
  auto found = typeHashes_.find(key);
  if (found != typeHashes_.end())
    return found->second;
  std::string text = entities.ofType(type).str();
  addUnderlyingTypes(type.getCanonicalType(), text);
  std::uint64_t hash = llvm::xxh3_64bits(text);
  return typeHashes_[key] = hash;
}

/// The name of an enumeration does not tell what its values are stored in.
void UnitContext::addUnderlyingTypes(QualType type, std::string &text) {
  if (const auto *enumeration = type->getAs<EnumType>()) {
    QualType underlying = enumeration->getDecl()->getIntegerType();
    if (!underlying.isNull())
      text += " as " + entities.ofType(underlying).str();
  } else if (const auto *array = dyn_cast<ArrayType>(type)) {
    addUnderlyingTypes(array->getElementType(), text);
  } else if (!type->getPointeeType().isNull()) {
    addUnderlyingTypes(type->getPointeeType(), text);
  } else if (const auto *function = dyn_cast<FunctionProtoType>(type)) {
    addUnderlyingTypes(function->getReturnType(), text);
    for (QualType parameter : function->getParamTypes())
      addUnderlyingTypes(parameter, text);
  }
}

namespace {

/// A constraint as written, with the numbers of template parameters instead of their names.
std::string constraintText(const Expr *constraint, llvm::ArrayRef<const NamedDecl *> parameters,
                           const PrintingPolicy &policy) {
  std::string text;
  llvm::raw_string_ostream out(text);
  constraint->printPretty(out, nullptr, policy);
  std::string result;
  for (llvm::StringRef rest = out.str(); !rest.empty();) {
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    llvm::StringRef word = rest.take_while(isWord);
    if (word.empty())
      word = rest.take_front(1);
    rest = rest.drop_front(word.size());
    const auto *named = llvm::find_if(
        parameters, [&](const NamedDecl *parameter) { return parameter->getName() == word; });
    result +=
        named == parameters.end() ? word.str() : "#" + std::to_string(named - parameters.begin());
  }
  return result;
}

} // namespace

std::uint64_t UnitContext::hashOfTemplate(const FunctionDecl *instance) {
  const FunctionDecl *pattern = instance->getTemplateInstantiationPattern();
  if (const FunctionTemplateDecl *primary = instance->getPrimaryTemplate(); primary && !pattern)
    pattern = primary->getTemplatedDecl(); // an explicit specialisation
  if (!pattern)
    pattern = instance;
  const FunctionTemplateDecl *generic = pattern->getDescribedFunctionTemplate();
  if (!generic && !pattern->getTrailingRequiresClause())
    return 0;
  auto [entry, isNew] = templateHashes_.try_emplace(pattern->getCanonicalDecl(), 0);
  if (!isNew)
    return entry->second;
  llvm::SmallVector<const Expr *, 3> constraints;
  llvm::SmallVector<const NamedDecl *, 4> parameters;
  if (generic) {
    llvm::append_range(parameters, *generic->getTemplateParameters());
    generic->getAssociatedConstraints(constraints);
  } else {
    constraints.push_back(pattern->getTrailingRequiresClause());
  }
  std::string text;
  for (const NamedDecl *parameter : parameters)
    text += parameter->isParameterPack() ? "..." : ".";
  for (const Expr *constraint : constraints)
    text += " requires " + constraintText(constraint, parameters, ast.getPrintingPolicy());
  return templateHashes_[pattern->getCanonicalDecl()] = llvm::xxh3_64bits(text);
}

std::uint64_t UnitContext::hashOfConstant(const VarDecl *variable) {
  const VarDecl *definition = nullptr;
  const Expr *initialiser = variable->getAnyInitializer(definition);
  // A static local has its constant value even where control jumped over its declaration.
  if (!initialiser || initialiser->isValueDependent() ||
      !(definition->isStaticLocal() || definition->mightBeUsableInConstantExpressions(ast)))
    return 0;
  auto found = constants_.find(definition);
  if (found != constants_.end())
    return found->second;
  std::uint64_t hash = 0;
  if (const APValue *value = definition->evaluateValue())
    hash = llvm::xxh3_64bits(entities.textOf(*value, definition->getType()));
  return constants_[definition] = hash;
}

bool UnitContext::namesProjectType(const TemplateArgument &argument) {
  switch (argument.getKind()) {
  case TemplateArgument::Type:
    return namesProjectType(argument.getAsType());
  case TemplateArgument::Declaration:
    return isInProject(argument.getAsDecl());
  case TemplateArgument::Integral:
    return namesProjectType(argument.getIntegralType());
  case TemplateArgument::StructuralValue:
    return namesProjectType(argument.getStructuralValueType());
  case TemplateArgument::Template:
  case TemplateArgument::TemplateExpansion:
    return isInProject(argument.getAsTemplateOrTemplatePattern().getAsTemplateDecl());
  case TemplateArgument::Pack:
    return llvm::any_of(argument.pack_elements(),
                        [&](const TemplateArgument &element) { return namesProjectType(element); });
  default:
    return false;
  }
}

bool UnitContext::isDefinedInProject(const FunctionDecl *function) {
  const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
  const FunctionDecl *definition = nullptr;
  return (pattern ? pattern : function)->hasBody(definition) && isInProject(definition);
}

bool UnitContext::isDeclaredInProject(const FunctionDecl *function) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  bool hangsOnExternal = method &&
                         isTemplateInstantiation(method->getTemplateSpecializationKind()) &&
                         !isInProject(method->getParent());
  return isInProject(function) && !hangsOnExternal;
}

bool UnitContext::isAliasOfProject(QualType type) {
  for (QualType next = type;; type = next) {
    if (const auto *alias = dyn_cast<TypedefType>(type.getTypePtr());
        alias && isInProject(alias->getDecl()))
      return true;
    next = type.getSingleStepDesugaredType(ast);
    if (next == type)
      return false;
  }
}

bool UnitContext::containsProjectType(const RecordDecl *record) {
  record = record->getDefinition();
  if (!record)
    return false;
  auto [entry, isNew] = containers_.try_emplace(record, false);
  if (!isNew)
    return entry->second;
  auto contains = [&](QualType type) {
    const RecordDecl *part = ast.getBaseElementType(type)->getAsRecordDecl();
    return isAliasOfProject(type) || (part && containsProjectType(part));
  };
  bool result = isInProject(record);
  if (const auto *derived = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : derived->bases())
      result = result || contains(base.getType());
  for (const FieldDecl *field : record->fields())
    result = result || contains(field->getType());
  return containers_[record] = result;
}

bool UnitContext::concernsProject(const VarDecl *variable) {
  // What others declare, the project may define: here, or in a unit that this one does not see.
  auto isOurs = [&](const VarDecl *redeclared) { return isInProject(redeclared); };
  if (llvm::any_of(variable->redecls(), isOurs) || !variable->hasDefinition())
    return true;
  if (const auto *specialisation = dyn_cast<VarTemplateSpecializationDecl>(variable))
    for (const TemplateArgument &argument : specialisation->getTemplateArgs().asArray())
      if (namesProjectType(argument))
        return true;
  const auto *record = dyn_cast<CXXRecordDecl>(variable->getDeclContext());
  return record && namesProjectType(QualType(record->getTypeForDecl(), 0));
}

bool UnitContext::namesProjectType(QualType type) {
  const Type *bare = type.getCanonicalType().getTypePtr();
  auto [entry, isNew] = projectTypes_.try_emplace(bare, false);
  if (!isNew)
    return entry->second;
  bool names = false;
  if (const auto *tag = dyn_cast<TagType>(bare)) {
    names = isInProject(tag->getDecl());
    // Also a class nested in a specialisation: vector<M>::iterator.
    for (const DeclContext *context = Decl::castToDeclContext(tag->getDecl());
         !names && context && !context->isFileContext(); context = context->getParent()) {
      if (const auto *record = dyn_cast<ClassTemplateSpecializationDecl>(context))
        names = llvm::any_of(record->getTemplateArgs().asArray(),
                             [&](const TemplateArgument &a) { return namesProjectType(a); });
      else if (const auto *function = dyn_cast<FunctionDecl>(context);
               function && function->getTemplateSpecializationArgs())
        names = llvm::any_of(function->getTemplateSpecializationArgs()->asArray(),
                             [&](const TemplateArgument &a) { return namesProjectType(a); });
    }
  } else if (const auto *member = dyn_cast<MemberPointerType>(bare)) {
    names = namesProjectType(QualType(member->getClass(), 0)) ||
            namesProjectType(member->getPointeeType());
  } else if (!bare->getPointeeType().isNull()) {
    names = namesProjectType(bare->getPointeeType());
  } else if (const auto *array = dyn_cast<ArrayType>(bare)) {
    names = namesProjectType(array->getElementType());
  } else if (const auto *function = dyn_cast<FunctionType>(bare)) {
    names = namesProjectType(function->getReturnType());
    if (const auto *prototype = dyn_cast<FunctionProtoType>(bare))
      names = names || llvm::any_of(prototype->getParamTypes(),
                                    [&](QualType t) { return namesProjectType(t); });
  }
  return projectTypes_[bare] = names;
}

void UnitContext::numberLocals(const Stmt *statement, std::uint32_t &next) {
  if (!statement)
    return;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declaration : declarations->decls()) {
      if (const auto *decomposed = dyn_cast<DecompositionDecl>(declaration))
        for (const BindingDecl *binding : decomposed->bindings()) {
          locals_.try_emplace(binding, next++);
          if (binding->getHoldingVar())
            locals_.try_emplace(binding->getHoldingVar(), next++);
        }
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        locals_.try_emplace(variable, next++);
    }
  } else if (const auto *handler = dyn_cast<CXXCatchStmt>(statement)) {
    if (handler->getExceptionDecl())
      locals_.try_emplace(handler->getExceptionDecl(), next++);
  } else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && lambda->isInitCapture(&capture))
        locals_.try_emplace(capture.getCapturedVar(), next++);
    for (const Expr *capture : lambda->capture_inits())
      numberLocals(capture, next);
    return; // the body is another function
  } else if (const auto *block = dyn_cast<BlockExpr>(statement)) {
    numberLocals(block->getBody(), next);
  }
  for (const Stmt *child : statement->children())
    numberLocals(child, next);
}

std::uint32_t UnitContext::numberOfLocal(const ValueDecl *local) {
  auto found = locals_.find(local);
  if (found != locals_.end())
    return found->second;
  auto around = [](const Decl *declaration) {
    return dyn_cast_or_null<Decl>(declaration->getParentFunctionOrMethod());
  };
  const Decl *owner = around(local);
  while (owner && isa<BlockDecl, CapturedDecl>(owner) && around(owner))
    owner = around(owner); // code inside a function is numbered with it
  if (owner && numberedFunctions_.insert(owner).second) {
    std::uint32_t next = 0;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(owner))
      for (const CXXCtorInitializer *initialiser : constructor->inits())
        numberLocals(initialiser->getInit(), next);
    numberLocals(owner->getBody(), next);
    found = locals_.find(local);
    if (found != locals_.end())
      return found->second;
  }
  // Not in any statement (a variable of a default argument, an init-capture met from inside):
  // told apart from the others of its function by the order of meeting it, which follows the tree.
  std::uint32_t number = 1'000'000 + unnumbered_[owner]++;
  locals_[local] = number;
  return number;
}

} // namespace retest
