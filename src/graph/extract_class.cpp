#include "graph/extract_entities.h"

#include <clang/AST/Attr.h>
#include <clang/AST/RecordLayout.h>

namespace retest {

using namespace clang;

Fingerprint UnitContext::layoutOf(const RecordDecl *record) {
  auto found = layouts_.find(record);
  if (found != layouts_.end())
    return found->second;
  FingerprintBuilder hash;
  const ASTRecordLayout &layout = ast.getASTRecordLayout(record);
  hash.add(layout.getSize().getQuantity()).add(layout.getAlignment().getQuantity());
  if (const auto *derived = dyn_cast<CXXRecordDecl>(record))
    for (const CXXBaseSpecifier &base : derived->bases()) {
      const CXXRecordDecl *type = base.getType()->getAsCXXRecordDecl();
      CharUnits offset =
          base.isVirtual() ? layout.getVBaseClassOffset(type) : layout.getBaseClassOffset(type);
      hash.add(hashOfName(type)).add(offset.getQuantity()).add(layoutOf(type->getDefinition()));
    }
  hash.add(attributesOf(record)); // packed, trivial_abi, ...
  for (const FieldDecl *field : record->fields()) {
    hash.add(llvm::StringRef(entities.simpleName(field))).add(hashOfType(field->getType()));
    hash.add(layout.getFieldOffset(field->getFieldIndex()));
    hash.add(field->isBitField() ? field->getBitWidthValue(ast) + 1 : 0);
    hash.add(field->isMutable());
    hash.add(attributesOf(field));
    if (const RecordDecl *part = ast.getBaseElementType(field->getType())->getAsRecordDecl())
      if (part->getDefinition())
        hash.add(layoutOf(part->getDefinition()));
  }
  return layouts_[record] = hash.finish();
}

namespace {

VirtualMethod virtualMethod(UnitContext &unit, const CXXMethodDecl *method) {
  VirtualMethod value;
  value.name = unit.nameOf(method);
  for (const CXXMethodDecl *overridden : method->overridden_methods())
    value.overrides.push_back(unit.nameOf(overridden));
  value.isPure = method->isPureVirtual();
  value.isFinal = method->hasAttr<FinalAttr>();
  return value;
}

} // namespace

Class extractClass(UnitContext &unit, const RecordDecl *declaration) {
  Class value;
  value.name = unit.nameOf(declaration);
  value.linkage = declaration->isExternallyVisible() ? Linkage::Weak : Linkage::Internal;
  value.isExternal = !unit.isInProject(declaration);
  value.where = unit.places.range(declaration->getSourceRange());
  value.layout = unit.layoutOf(declaration);
  const auto *record = dyn_cast<CXXRecordDecl>(declaration);
  if (!record) // C
    return value;
  value.isAbstract = record->isAbstract();
  value.isFinal = record->isEffectivelyFinal();

  FingerprintBuilder hierarchy;
  for (const CXXBaseSpecifier &base : record->bases()) {
    const CXXRecordDecl *type = base.getType()->getAsCXXRecordDecl();
    value.bases.push_back({unit.nameOf(type), base.isVirtual()});
    if (!unit.isInProject(type))
      unit.externalClasses.insert(type->getDefinition());
    hierarchy.add(unit.hashOfType(base.getType()));
    hierarchy.add(base.isVirtual() | (base.getAccessSpecifier() << 1));
  }
  hierarchy.add(record->isPolymorphic()); // then typeid looks at the object itself
  value.hierarchy = hierarchy.finish();

  FingerprintBuilder dispatch;
  for (const CXXMethodDecl *method : record->methods()) {
    if (!method->isVirtual())
      continue;
    value.virtualMethods.push_back(virtualMethod(unit, method));
    const VirtualMethod &added = value.virtualMethods.back();
    dispatch.add(unit.names.text(added.name)).add(unit.hashOfType(method->getType()));
    dispatch.add(added.isPure | (added.isFinal << 1));
    for (NameId overridden : added.overrides)
      dispatch.add(unit.names.text(overridden));
  }
  value.dispatch = dispatch.finish();
  return value;
}

} // namespace retest
