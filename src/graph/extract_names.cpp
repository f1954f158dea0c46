#include "graph/extract_names.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

using namespace clang;

namespace {

/// The member that gives an anonymous struct, union or enum its name.
const NamedDecl *firstNamedMember(const TagDecl *tag) {
  for (const Decl *member : tag->decls())
    if (isa<FieldDecl, EnumConstantDecl>(member))
      if (const auto *named = cast<NamedDecl>(member); !named->getDeclName().isEmpty())
        return named;
  return nullptr;
}

bool isLambda(const TagDecl *tag) {
  const auto *record = dyn_cast<CXXRecordDecl>(tag);
  return record && record->isLambda();
}

bool isAnonymous(const TagDecl *tag) {
  return tag->getDeclName().isEmpty() && !tag->getTypedefNameForAnonDecl();
}

/// "[low, high]"
std::string bindingNames(const DecompositionDecl *declaration) {
  std::string names;
  for (const BindingDecl *binding : declaration->bindings())
    names += (names.empty() ? "[" : ", ") + binding->getNameAsString();
  return names + "]";
}

/// The place of a static local among those of its function, from 1 on.
unsigned numberOf(const VarDecl *staticLocal) {
  unsigned number = 0;
  for (const Decl *declaration : staticLocal->getDeclContext()->decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    number += variable && variable->isStaticLocal();
    if (variable == staticLocal)
      break;
  }
  return number;
}

/// A variable or function that other units may name without having seen where it is made.
bool isForOtherUnits(const NamedDecl *declaration) {
  return isa<VarDecl, FunctionDecl>(declaration) && declaration->hasExternalFormalLinkage() &&
         declaration->getDeclContext()->getRedeclContext()->isFileContext();
}

void collectLambdas(const Stmt *statement, llvm::SmallVectorImpl<const CXXRecordDecl *> &lambdas) {
  if (!statement)
    return;
  if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
    lambdas.push_back(lambda->getLambdaClass());
    for (const Expr *capture : lambda->capture_inits())
      collectLambdas(capture, lambdas);
    return;
  }
  for (const Stmt *child : statement->children())
    collectLambdas(child, lambdas);
}

} // namespace

llvm::StringRef EntityNames::of(const NamedDecl *declaration) {
  declaration = cast<NamedDecl>(declaration->getCanonicalDecl());
  auto found = names_.find(declaration);
  if (found != names_.end())
    return found->second;
  names_[declaration] = "(itself)"; // ends the recursion of a name that contains itself
  llvm::StringRef name = saver_.save(print(declaration));
  names_[declaration] = name;
  return name;
}

std::string EntityNames::print(const NamedDecl *declaration) {
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    return functionName(function);
  const auto *tag = dyn_cast<TagDecl>(declaration);
  if (tag && isLambda(tag)) {
    unsigned number = ordinal(tag) + 1; // numbers the lambdas of the context, and finds owners
    if (const NamedDecl *owner = lambdaOwners_.lookup(tag->getCanonicalDecl()))
      return of(owner).str() + "::lambda#" + std::to_string(number);
  }
  if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
    if (variable->isExternC())
      return variable->getNameAsString();
    if (variable->isStaticLocal()) // locals count by their order
      return scope(variable->getDeclContext()) + "static#" + std::to_string(numberOf(variable));
  }
  std::string name = scope(declaration->getDeclContext());
  if (const auto *bound = dyn_cast<DecompositionDecl>(declaration))
    name += bindingNames(bound);
  else if (tag)
    name += tagName(tag);
  else
    name += simpleName(declaration);

  llvm::raw_string_ostream out(name);
  if (const auto *record = dyn_cast<ClassTemplateSpecializationDecl>(declaration))
    printArguments(record->getTemplateArgs().asArray(), out);
  else if (const auto *variable = dyn_cast<VarTemplateSpecializationDecl>(declaration))
    printArguments(variable->getTemplateArgs().asArray(), out);
  return name;
}

std::string EntityNames::scope(const DeclContext *context) {
  while (context->isTransparentContext() && !isa<EnumDecl>(context))
    context = context->getParent();
  if (context->isTranslationUnit())
    return "";
  if (const auto *space = dyn_cast<NamespaceDecl>(context))
    return scope(space->getDeclContext()) +
           (space->isAnonymousNamespace() ? "(anonymous)" : space->getName().str()) + "::";
  if (const auto *named = dyn_cast<NamedDecl>(context))
    return of(named).str() + "::";
  return scope(context->getParent());
}

std::string EntityNames::simpleName(const NamedDecl *declaration) {
  std::string name = declaration->getDeclName().getAsString();
  if (!tellsPosition(declaration))
    return name;
  // Pasted with __COUNTER__ or __LINE__: an edit above would rename it.
  name = nameWithoutPosition(declaration);
  unsigned number = positionOrdinal(declaration);
  return number == 0 ? name : name + "#" + std::to_string(number + 1);
}

/// The last digits of a name, and what stands before and behind them.
static std::tuple<llvm::StringRef, llvm::StringRef, llvm::StringRef>
aroundDigits(llvm::StringRef name) {
  std::size_t end = name.find_last_of("0123456789") + 1; // 0 if there are none
  llvm::StringRef head = name.take_front(end).rtrim("0123456789");
  return {head, name.slice(head.size(), end), name.drop_front(end)};
}

/// Whether the name was pasted with a position: its last digits are nobody's own. What other units
/// may name cannot be told by a counter that each of them would have to guess.
bool EntityNames::tellsPosition(const NamedDecl *declaration) {
  SourceLocation location = declaration->getLocation();
  if (!declaration->getIdentifier() || !location.isMacroID())
    return false;
  llvm::StringRef name = declaration->getName();
  auto [head, digits, tail] = aroundDigits(name);
  if (digits.empty())
    return false;
  unsigned positions = macros_.positionsAt(location);
  bool isCounted = (positions & Macros::kCounter) && !isForOtherUnits(declaration);
  bool isPlaced = (positions & Macros::kLine) && macros_.isLineOfCall(location, digits);
  auto isWritten = [&, digits = digits](llvm::StringRef token) { // DEFINE_OPTION(utf8)
    return token.contains(digits) && name.contains(token);
  };
  return (isCounted || isPlaced) && llvm::none_of(macros_.call(location), isWritten);
}

std::string EntityNames::nameWithoutPosition(const NamedDecl *declaration) {
  std::string written = declaration->getDeclName().getAsString();
  auto [head, digits, tail] = aroundDigits(written);
  std::string name = (head + tail + "[").str();
  for (const std::string &token : macros_.call(declaration->getLocation()))
    name += token;
  return name + "]";
}

/// The place of a declaration among those of its context that are called alike but for a position:
/// what they are may be exchanged.
unsigned EntityNames::positionOrdinal(const NamedDecl *declaration) {
  const DeclContext *context = declaration->getDeclContext()->getPrimaryContext();
  if (numberedByPosition_.insert(context).second) {
    llvm::StringMap<unsigned> next;
    for (const DeclContext *part : partsOf(context))
      for (const Decl *member : part->decls()) {
        const auto *named = dyn_cast<NamedDecl>(member);
        if (!named || named->getCanonicalDecl() != named || !tellsPosition(named))
          continue;
        // One macro may declare things of several kinds.
        std::string key = std::string(named->getDeclKindName()) + " " + nameWithoutPosition(named);
        positionOrdinals_[named] = next[key]++;
      }
  }
  return positionOrdinals_.lookup(declaration->getCanonicalDecl());
}

std::string EntityNames::tagName(const TagDecl *tag) {
  if (const TypedefNameDecl *alias = tag->getTypedefNameForAnonDecl())
    return simpleName(alias);
  if (!tag->getDeclName().isEmpty()) {
    // Several local classes of one function may bear the same name in different blocks.
    unsigned number = tag->getDeclContext()->isFunctionOrMethod() ? ordinal(tag) : 0;
    return simpleName(tag) + (number == 0 ? "" : "#" + std::to_string(number + 1));
  }
  unsigned number = ordinal(tag) + 1;
  if (isLambda(tag))
    return "lambda#" + std::to_string(number);
  const NamedDecl *member = firstNamedMember(tag);
  std::string name = "(" + tag->getKindName().str();
  if (member)
    name += " of " + member->getDeclName().getAsString();
  return name + (number == 1 ? ")" : ")#" + std::to_string(number));
}

/// The place of an anonymous or local tag among those of its context that are alike. Lambdas
/// outside of functions count within the variable or field whose initialiser they are in, so
/// that one more lambda in a file does not rename the others.
unsigned EntityNames::ordinal(const TagDecl *tag) {
  const DeclContext *context = tag->getDeclContext()->getPrimaryContext();
  if (numbered_.insert(context).second)
    numberTags(context);
  return ordinals_.lookup(tag->getCanonicalDecl());
}

/// The lambdas of a context's variables, fields and default arguments belong to those.
void EntityNames::numberLambdas(const NamedDecl *owner, const Stmt *initialiser) {
  llvm::SmallVector<const CXXRecordDecl *, 4> lambdas;
  collectLambdas(initialiser, lambdas);
  for (const CXXRecordDecl *lambda : lambdas)
    if (lambdaOwners_.try_emplace(lambda->getCanonicalDecl(), owner).second)
      ordinals_[lambda->getCanonicalDecl()] = lambdasOf_[owner]++;
}

void EntityNames::numberOwned(const Decl *declaration) {
  if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
    numberLambdas(variable, variable->getInit());
  } else if (const auto *field = dyn_cast<FieldDecl>(declaration)) {
    numberLambdas(field, field->getInClassInitializer());
  } else if (const auto *function = dyn_cast<FunctionDecl>(declaration)) {
    for (const ParmVarDecl *parameter : function->parameters())
      if (parameter->hasDefaultArg() && !parameter->hasUnparsedDefaultArg() &&
          !parameter->hasUninstantiatedDefaultArg())
        numberLambdas(function, parameter->getDefaultArg());
  } else if (const auto *functions = dyn_cast<FunctionTemplateDecl>(declaration)) {
    numberOwned(functions->getTemplatedDecl());
    for (const FunctionDecl *instance : functions->specializations())
      numberOwned(instance);
  } else if (const auto *variables = dyn_cast<VarTemplateDecl>(declaration)) {
    for (const VarDecl *instance : variables->specializations())
      numberOwned(instance);
  }
}

/// A namespace may be opened many times; its parts count as one, in the order of the source.
llvm::SmallVector<const DeclContext *, 8> EntityNames::partsOf(const DeclContext *context) const {
  llvm::SmallVector<const DeclContext *, 8> parts = {context};
  if (const auto *space = dyn_cast<NamespaceDecl>(context)) {
    parts.clear();
    for (const NamespaceDecl *part : space->redecls())
      parts.push_back(part);
    llvm::sort(parts, [&](const DeclContext *a, const DeclContext *b) {
      return places_.sources().isBeforeInTranslationUnit(cast<NamespaceDecl>(a)->getBeginLoc(),
                                                         cast<NamespaceDecl>(b)->getBeginLoc());
    });
  }
  return parts;
}

void EntityNames::numberTags(const DeclContext *context) {
  llvm::SmallVector<const DeclContext *, 8> parts = partsOf(context);
  if (!context->isFunctionOrMethod())
    for (const DeclContext *part : parts)
      for (const Decl *declaration : part->decls())
        numberOwned(declaration);

  llvm::StringMap<unsigned> next;
  for (const DeclContext *part : parts)
    for (const Decl *declaration : part->decls()) {
      const auto *tag = dyn_cast<TagDecl>(declaration);
      if (!tag || !tag->isFirstDecl() || ordinals_.contains(tag))
        continue;
      std::string key = isLambda(tag) ? "lambda" : tag->getKindName().str();
      if (!isAnonymous(tag))
        key = "named " + tag->getNameAsString();
      else if (const NamedDecl *member = firstNamedMember(tag))
        key += " " + member->getNameAsString();
      ordinals_[tag] = next[key]++;
    }
}

std::string EntityNames::functionName(const FunctionDecl *function) {
  // What the linker calls by its bare name is known by it: C and C++ units meet here.
  if (function->isExternC() || function->isMain() ||
      (!context_.getLangOpts().CPlusPlus && !function->hasAttr<OverloadableAttr>()))
    return function->getNameAsString();
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  std::string name;
  if (method && method->getParent()->isLambda() && method->getOverloadedOperator() == OO_Call) {
    name = of(method->getParent()).str();
  } else {
    name = scope(function->getDeclContext());
    if (isa<CXXConstructorDecl>(function))
      name += simpleName(cast<CXXRecordDecl>(function->getDeclContext()));
    else if (isa<CXXDestructorDecl>(function))
      name += "~" + simpleName(cast<CXXRecordDecl>(function->getDeclContext()));
    else if (const auto *conversion = dyn_cast<CXXConversionDecl>(function))
      name += "operator " + ofType(conversion->getConversionType()).str();
    else
      name += simpleName(function);
  }

  llvm::raw_string_ostream out(name);
  const TemplateArgumentList *arguments = function->getTemplateSpecializationArgs();
  if (arguments)
    printArguments(arguments->asArray(), out);
  // Canonical: `const` on a parameter itself concerns the body alone.
  const auto *type = function->getType().getCanonicalType()->getAs<FunctionProtoType>();
  if (!type)
    return name;
  out << "(";
  llvm::ListSeparator comma(", ");
  for (QualType parameter : type->getParamTypes())
    out << comma << ofType(parameter);
  if (type->isVariadic())
    out << comma << "...";
  out << ")";
  if (!type->getMethodQuals().empty())
    out << " " << type->getMethodQuals().getAsString();
  if (type->getRefQualifier() != RQ_None)
    out << (type->getRefQualifier() == RQ_LValue ? " &" : " &&");
  // Templates can be overloaded by their return type alone, unless it is deduced.
  if (arguments && !function->getDeclaredReturnType()->getContainedDeducedType())
    out << " -> " << ofType(type->getReturnType());
  return name;
}

} // namespace retest
