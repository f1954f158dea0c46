#include "graph/extract_entities.h"
#include "graph/extract_entity_parts.h"
#include "graph/flow_builder.h"

#include <clang/AST/Attr.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

namespace {

/// Strong if it makes a symbol of its own; an asm label only declares.
Linkage aliasLinkage(const Decl *declaration, GVALinkage linkage) {
  bool isDefinition = declaration->hasAttr<AliasAttr>() || declaration->hasAttr<IFuncAttr>();
  return isDefinition ? linkageOf(linkage, declaration) : Linkage::Weak;
}

} // namespace

llvm::StringRef aliasedSymbol(const Decl *declaration) {
  if (const auto *alias = declaration->getAttr<AliasAttr>())
    return alias->getAliasee();
  if (const auto *chosen = declaration->getAttr<IFuncAttr>())
    return chosen->getResolver();
  return declaration->getAttr<AsmLabelAttr>()->getLabel();
}

Function extractAlias(UnitContext &unit, const FunctionDecl *declaration, NameId target) {
  Function function;
  function.name = unit.nameOf(declaration);
  function.kind = kindOf(declaration);
  function.linkage = aliasLinkage(declaration, unit.ast.GetGVALinkageForFunction(declaration));
  function.symbols = symbolsOf(unit, declaration);
  function.isImplicit = true; // no coverage record
  function.where = unit.places.range(declaration->getSourceRange());
  Node call;
  call.kind = NodeKind::Call;
  call.call = {CallKind::Direct, target, {}};
  call.elements.push_back({llvm::xxh3_64bits(unit.names.text(target)), {}});
  function.flow = flowOfOneNode(std::move(call), unit.names.intern(""));
  FingerprintBuilder declared;
  declared.add(unit.entities.of(declaration)).add(unit.attributesOf(declaration));
  setFingerprints(unit, function, declared);
  return function;
}

Variable extractAlias(UnitContext &unit, const VarDecl *declaration, NameId target) {
  Variable variable;
  variable.name = unit.nameOf(declaration);
  variable.linkage = aliasLinkage(declaration, unit.ast.GetGVALinkageForVariable(declaration));
  variable.symbols = symbolsOf(unit, declaration);
  variable.where = unit.places.range(declaration->getSourceRange());
  FingerprintBuilder hash;
  hash.add(unit.entities.of(declaration)).add(unit.hashOfType(declaration->getType()));
  hash.add(unit.attributesOf(declaration));
  variable.fingerprint = hash.finish();
  variable.uses.push_back({UseKind::Variable, target});
  return variable;
}

} // namespace retest
