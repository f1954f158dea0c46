// The names of types, template arguments and constant values.
#include "graph/extract_names.h"

#include "graph/extract_literals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

using namespace clang;

namespace {

/// What an array is made of; the type itself where it is not known to be one.
QualType elementType(QualType type) {
  const ArrayType *array = type.isNull() ? nullptr : type->getAsArrayTypeUnsafe();
  return array ? array->getElementType() : type;
}

} // namespace

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

/// "&x" for a pointer, "x" for a reference; with the type of the parameter where that is not told
/// by what it points to.
void EntityNames::printAddress(const TemplateArgument &argument, llvm::raw_ostream &out) {
  const ValueDecl *target = argument.getAsDecl();
  QualType type = argument.getParamTypeForDecl();
  if (!context_.hasSameType(type->getPointeeType(), target->getType()))
    out << "(" << ofType(type) << ")";
  if (!type->isReferenceType())
    out << "&";
  out << of(target);
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
      printAddress(argument, out);
    }
    return;
  case TemplateArgument::NullPtr:
    out << "(" << ofType(argument.getNullPtrType()) << ")nullptr";
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

/// What an address leads to: the name, and what the linker makes of it.
void EntityNames::printTarget(const ValueDecl *target, llvm::raw_ostream &out) {
  out << of(target);
  target = cast<ValueDecl>(target->getMostRecentDecl());
  if (target->hasAttr<WeakAttr>()) // may be null
    out << " weak";
  if (const auto *label = target->getAttr<AsmLabelAttr>())
    out << " as " << label->getLabel();
  if (const auto *tags = target->getAttr<AbiTagAttr>())
    for (llvm::StringRef tag : tags->tags())
      out << " tagged " << tag;
}

void EntityNames::printLValue(const APValue &value, llvm::raw_ostream &out) {
  APValue::LValueBase base = value.getLValueBase();
  out << "&";
  if (const auto *declaration = base.dyn_cast<const ValueDecl *>()) {
    if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
      printValue(object->getValue(), object->getType(), out);
    else
      printTarget(declaration, out);
  } else if (const auto *expression = base.dyn_cast<const Expr *>()) {
    if (const auto *literal = dyn_cast<StringLiteral>(expression))
      out << "\"" << literal->getBytes() << "\"";
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      out << "temporary ";
      if (const APValue *held = temporary->getOrCreateValue(false))
        if (held->hasValue())
          printValue(*held, temporary->getType(), out);
    } else if (const auto *name = dyn_cast<PredefinedExpr>(expression);
               name && name->getFunctionName()) {
      out << "\"" << withoutPositions(name->getFunctionName()->getString()) << "\"";
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

std::string EntityNames::textOf(const APValue &value, QualType type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printValue(value, type, out);
  return out.str();
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
      printTarget(value.getMemberPointerDecl(), out);
    for (const CXXRecordDecl *step : value.getMemberPointerPath())
      out << " via " << of(step);
    return;
  case APValue::AddrLabelDiff:
    out << "label difference";
    return;
  }
}

void EntityNames::forEachTarget(const APValue &value,
                                llvm::function_ref<void(const ValueDecl *)> visit) {
  switch (value.getKind()) {
  case APValue::LValue: {
    APValue::LValueBase base = value.getLValueBase();
    if (const auto *declaration = base.dyn_cast<const ValueDecl *>()) {
      if (const auto *object = dyn_cast<TemplateParamObjectDecl>(declaration))
        forEachTarget(object->getValue(), visit);
      else
        visit(declaration);
    } else if (const auto *temporary =
                   dyn_cast_or_null<MaterializeTemporaryExpr>(base.dyn_cast<const Expr *>())) {
      if (const APValue *held = temporary->getOrCreateValue(false))
        forEachTarget(*held, visit);
    }
    return;
  }
  case APValue::MemberPointer:
    if (value.getMemberPointerDecl())
      visit(value.getMemberPointerDecl());
    return;
  case APValue::Array:
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
      forEachTarget(value.getArrayInitializedElt(i), visit);
    if (value.hasArrayFiller())
      forEachTarget(value.getArrayFiller(), visit);
    return;
  case APValue::Struct:
    for (unsigned i = 0; i < value.getStructNumBases(); ++i)
      forEachTarget(value.getStructBase(i), visit);
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      forEachTarget(value.getStructField(i), visit);
    return;
  case APValue::Union:
    if (value.getUnionField())
      forEachTarget(value.getUnionValue(), visit);
    return;
  default:
    return; // numbers
  }
}

} // namespace retest
