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

/// What an array is made of; the type itself where it is not known to be one.
QualType elementType(QualType type) {
  const ArrayType *array = type.isNull() ? nullptr : type->getAsArrayTypeUnsafe();
  return array ? array->getElementType() : type;
}

bool isAnonymous(const TagDecl *tag) {
  return tag->getDeclName().isEmpty() && !tag->getTypedefNameForAnonDecl();
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
  std::string name = scope(declaration->getDeclContext());
  if (tag)
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
  bool endsInDigit = !name.empty() && llvm::isDigit(name.back());
  if (!endsInDigit || !macros_.tellPosition(declaration->getLocation()))
    return name;
  // Pasted with __COUNTER__ or __LINE__: an edit above would rename it.
  name = llvm::StringRef(name).rtrim("0123456789").str();
  name += "[";
  for (const std::string &token : macros_.call(declaration->getLocation()))
    name += token;
  return name + "]";
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

void EntityNames::numberTags(const DeclContext *context) {
  // A namespace may be opened many times; its parts count as one, in the order of the source.
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
  const auto *type = function->getType()->getAs<FunctionProtoType>();
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

void EntityNames::printArguments(llvm::ArrayRef<TemplateArgument> arguments,
                                 llvm::raw_ostream &out) {
  out << "<";
  llvm::ListSeparator comma(", ");
  for (const TemplateArgument &argument : arguments) {
    if (argument.getKind() == TemplateArgument::Pack) {
      for (const TemplateArgument &element : argument.pack_elements()) {
        out << comma;
        printArgument(element, out);
      }
    } else {
      out << comma;
      printArgument(argument, out);
    }
  }
  out << ">";
}

void EntityNames::printArgument(const TemplateArgument &argument, llvm::raw_ostream &out) {
  switch (argument.getKind()) {
  case TemplateArgument::Type:
    out << ofType(argument.getAsType());
    return;
  case TemplateArgument::Integral:
    if (!argument.getIntegralType()->isSpecificBuiltinType(BuiltinType::Int))
      out << "(" << ofType(argument.getIntegralType()) << ")";
    out << argument.getAsIntegral();
    return;
  case TemplateArgument::Declaration:
    if (const auto *object = dyn_cast<TemplateParamObjectDecl>(argument.getAsDecl())) {
      out << ofType(object->getType().getUnqualifiedType());
      printValue(object->getValue(), object->getType(), out);
    } else {
      out << "&" << of(argument.getAsDecl());
    }
    return;
  case TemplateArgument::NullPtr:
    out << "nullptr";
    return;
  case TemplateArgument::StructuralValue:
    out << ofType(argument.getStructuralValueType());
    printValue(argument.getAsStructuralValue(), argument.getStructuralValueType(), out);
    return;
  case TemplateArgument::Template:
  case TemplateArgument::TemplateExpansion:
    out << of(argument.getAsTemplateOrTemplatePattern().getAsTemplateDecl());
    return;
  case TemplateArgument::Pack:
    printArguments(argument.pack_elements(), out);
    return;
  case TemplateArgument::Null:
  case TemplateArgument::Expression:
    out << "?"; // dependent: belongs to no function that runs
    return;
  }
}

llvm::StringRef EntityNames::ofType(QualType type) {
  type = type.getCanonicalType();
  auto found = types_.find(type.getAsOpaquePtr());
  if (found != types_.end())
    return found->second;
  std::string text;
  llvm::raw_string_ostream out(text);
  printType(type, out);
  llvm::StringRef saved = saver_.save(out.str());
  types_[type.getAsOpaquePtr()] = saved;
  return saved;
}

void EntityNames::printFunctionType(const FunctionType *type, llvm::raw_ostream &out) {
  out << ofType(type->getReturnType()) << "(";
  if (const auto *prototype = dyn_cast<FunctionProtoType>(type)) {
    llvm::ListSeparator comma(", ");
    for (QualType parameter : prototype->getParamTypes())
      out << comma << ofType(parameter);
    if (prototype->isVariadic())
      out << comma << "...";
    out << ")";
    if (!prototype->getMethodQuals().empty())
      out << " " << prototype->getMethodQuals().getAsString();
    if (prototype->getRefQualifier() != RQ_None)
      out << (prototype->getRefQualifier() == RQ_LValue ? " &" : " &&");
    if (prototype->isNothrow())
      out << " noexcept";
  } else {
    out << "?)";
  }
  if (type->getCallConv() != CC_C)
    out << " " << FunctionType::getNameForCallConv(type->getCallConv());
}

void EntityNames::printType(QualType type, llvm::raw_ostream &out) {
  // Before a name, behind a pointer: "const T* const*" can be read in one way only.
  Qualifiers qualifiers = type.getLocalQualifiers();
  const Type *bare = type.getTypePtr();
  if (!qualifiers.empty() && isa<PointerType, MemberPointerType, BlockPointerType>(bare)) {
    out << ofType(QualType(bare, 0)) << " " << qualifiers.getAsString();
    return;
  }
  if (!qualifiers.empty())
    out << qualifiers.getAsString() << " ";
  switch (bare->getTypeClass()) {
  case Type::Builtin:
    out << cast<BuiltinType>(bare)->getName(context_.getPrintingPolicy());
    return;
  case Type::Record:
  case Type::Enum:
    out << of(cast<TagType>(bare)->getDecl());
    return;
  case Type::Pointer:
    out << ofType(bare->getPointeeType()) << "*";
    return;
  case Type::LValueReference:
    out << ofType(bare->getPointeeType()) << "&";
    return;
  case Type::RValueReference:
    out << ofType(bare->getPointeeType()) << "&&";
    return;
  case Type::MemberPointer:
    out << ofType(bare->getPointeeType()) << " "
        << ofType(QualType(cast<MemberPointerType>(bare)->getClass(), 0)) << "::*";
    return;
  case Type::ConstantArray:
    out << ofType(cast<ConstantArrayType>(bare)->getElementType()) << "["
        << cast<ConstantArrayType>(bare)->getZExtSize() << "]";
    return;
  case Type::IncompleteArray:
    out << ofType(cast<ArrayType>(bare)->getElementType()) << "[]";
    return;
  case Type::VariableArray: // the size is evaluated where the array is declared
    out << ofType(cast<ArrayType>(bare)->getElementType()) << "[*]";
    return;
  case Type::FunctionProto:
  case Type::FunctionNoProto:
    printFunctionType(cast<FunctionType>(bare), out);
    return;
  case Type::Atomic:
    out << "_Atomic(" << ofType(cast<AtomicType>(bare)->getValueType()) << ")";
    return;
  case Type::Complex:
    out << "_Complex " << ofType(cast<ComplexType>(bare)->getElementType());
    return;
  case Type::Vector:
  case Type::ExtVector:
    out << ofType(cast<VectorType>(bare)->getElementType()) << " vector["
        << cast<VectorType>(bare)->getNumElements() << "]";
    return;
  default: // rare or dependent: nothing in it has a place
    out << bare->getTypeClassName() << " " << QualType(bare, 0).getAsString();
    return;
  }
}

void EntityNames::printLValue(const APValue &value, llvm::raw_ostream &out) {
  APValue::LValueBase base = value.getLValueBase();
  out << "&";
  if (const auto *declaration = base.dyn_cast<const ValueDecl *>()) {
    if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
      printValue(object->getValue(), object->getType(), out);
    else
      out << of(declaration);
  } else if (const auto *expression = base.dyn_cast<const Expr *>()) {
    if (const auto *literal = dyn_cast<StringLiteral>(expression))
      out << "\"" << literal->getBytes() << "\"";
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      out << "temporary ";
      if (const APValue *held = temporary->getOrCreateValue(false))
        if (held->hasValue())
          printValue(*held, temporary->getType(), out);
    } else {
      out << expression->getStmtClassName() << " " << ofType(expression->getType());
      if (const auto *literal = dyn_cast<CompoundLiteralExpr>(expression))
        if (Expr::EvalResult result; literal->getInitializer()->EvaluateAsRValue(result, context_))
          printValue(result.Val, literal->getType(), out);
    }
  } else if (const auto info = base.dyn_cast<TypeInfoLValue>()) {
    out << "typeid(" << ofType(QualType(info.getType(), 0)) << ")";
  }
  out << "+" << value.getLValueOffset().getQuantity();
}

/// With the names of the fields: which value belongs to which is not a matter of position.
void EntityNames::printStruct(const APValue &value, QualType type, llvm::raw_ostream &out) {
  llvm::ListSeparator comma(",");
  const RecordDecl *record = type->getAsRecordDecl();
  out << "{";
  const auto *derived = dyn_cast_or_null<CXXRecordDecl>(record);
  for (unsigned i = 0; i < value.getStructNumBases(); ++i) {
    QualType base =
        derived && i < derived->getNumBases() ? (derived->bases_begin() + i)->getType() : type;
    out << comma << ofType(base);
    printValue(value.getStructBase(i), base, out);
  }
  auto field = record ? record->field_begin() : RecordDecl::field_iterator();
  for (unsigned i = 0; i < value.getStructNumFields(); ++i) {
    out << comma;
    if (!record || field == record->field_end()) {
      printValue(value.getStructField(i), type, out);
      continue;
    }
    out << "." << simpleName(*field) << "=";
    printValue(value.getStructField(i), field->getType(), out);
    ++field;
  }
  out << "}";
}

void EntityNames::printValue(const APValue &value, QualType type, llvm::raw_ostream &out) {
  llvm::ListSeparator comma(",");
  switch (value.getKind()) {
  case APValue::None:
  case APValue::Indeterminate:
    out << "_";
    return;
  case APValue::Int:
    out << value.getInt();
    return;
  case APValue::Float: // by bits: signed zeros and NaNs differ
    out << "f" << llvm::toString(value.getFloat().bitcastToAPInt(), 16, false);
    return;
  case APValue::FixedPoint:
    out << value.getFixedPoint().toString();
    return;
  case APValue::ComplexInt:
    out << value.getComplexIntReal() << "+i" << value.getComplexIntImag();
    return;
  case APValue::ComplexFloat:
    out << llvm::toString(value.getComplexFloatReal().bitcastToAPInt(), 16, false) << "+i"
        << llvm::toString(value.getComplexFloatImag().bitcastToAPInt(), 16, false);
    return;
  case APValue::LValue:
    printLValue(value, out);
    return;
  case APValue::Vector:
    out << "(";
    for (unsigned i = 0; i < value.getVectorLength(); ++i) {
      out << comma;
      printValue(value.getVectorElt(i), type, out);
    }
    out << ")";
    return;
  case APValue::Array:
    out << "[" << value.getArraySize() << ":";
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i) {
      out << comma;
      printValue(value.getArrayInitializedElt(i), elementType(type), out);
    }
    if (value.hasArrayFiller()) {
      out << comma << "...";
      printValue(value.getArrayFiller(), elementType(type), out);
    }
    out << "]";
    return;
  case APValue::Struct:
    printStruct(value, type, out);
    return;
  case APValue::Union:
    out << "{." << (value.getUnionField() ? value.getUnionField()->getNameAsString() : "") << "=";
    if (value.getUnionField())
      printValue(value.getUnionValue(), value.getUnionField()->getType(), out);
    out << "}";
    return;
  case APValue::MemberPointer:
    out << "&";
    if (value.getMemberPointerDecl())
      out << of(value.getMemberPointerDecl());
    for (const CXXRecordDecl *step : value.getMemberPointerPath())
      out << " via " << of(step);
    return;
  case APValue::AddrLabelDiff:
    out << "label difference";
    return;
  }
}

} // namespace retest
