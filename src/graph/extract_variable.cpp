#include "graph/extract_entities.h"
#include "graph/extract_entity_parts.h"
#include "graph/extract_meaning.h"

#include <clang/AST/Attr.h>

namespace retest {

using namespace clang;

namespace {

/// What a block literal does is not in its value.
bool hasBlock(const Stmt *statement) {
  return statement && (isa<BlockExpr>(statement) || llvm::any_of(statement->children(), hasBlock));
}

/// What nobody initialises is zero. In C it may be more: one of several definitions.
void addZero(UnitContext &unit, QualType type, FingerprintBuilder &hash) {
  ImplicitValueInitExpr zero(type);
  if (Expr::EvalResult result;
      unit.ast.getLangOpts().CPlusPlus && zero.EvaluateAsRValue(result, unit.ast))
    hash.add(llvm::StringRef(unit.entities.textOf(result.Val, type)));
}

} // namespace

bool isReadFromOutside(UnitContext &unit, const VarDecl *variable) {
  return isInNamedSection(variable) || variable->hasAttr<UsedAttr>() ||
         (variable->hasExternalFormalLinkage() && unit.isInProject(variable) &&
          isDeclaredOutside(unit, variable));
}

Variable extractVariable(UnitContext &unit, const VarDecl *declaration) {
  Variable variable;
  variable.name = unit.nameOf(declaration);
  GVALinkage linkage = unit.ast.GetGVALinkageForVariable(declaration);
  variable.linkage = linkageOf(linkage, declaration);
  variable.isEmittedElsewhere = linkage == GVA_AvailableExternally;
  variable.symbols = symbolsOf(unit, declaration);
  variable.isExternal = !unit.isInProject(declaration);
  variable.where = unit.places.range(declaration->getSourceRange());

  FingerprintBuilder hash;
  hash.add(unit.entities.of(declaration)).add(unit.hashOfType(declaration->getType()));
  hash.add(static_cast<std::uint64_t>(declaration->getTLSKind()));
  if (!declaration->getType().isConstQualified()) // one for each unit, or one for all
    hash.add(static_cast<std::uint64_t>(variable.linkage));
  hash.add(unit.attributesOf(declaration));
  const Expr *initialiser = declaration->getInit();
  const APValue *value = nullptr;
  if (initialiser && !initialiser->isValueDependent()) {
    Meaning meaning(unit, nullptr);
    meaning.beginNode();
    value = declaration->evaluateValue();
    // The value says it all; how it was written matters only where it is not known before.
    std::uint64_t written = meaning.ofStatement(initialiser);
    if (value) {
      hash.add(llvm::StringRef(unit.entities.textOf(*value, declaration->getType())));
      meaning.useTargets(*value); // which a constexpr function may have found
    }
    if (!value || hasBlock(initialiser))
      hash.add(written);
    variable.uses = meaning.uses;
    std::sort(variable.uses.begin(), variable.uses.end());
    variable.uses.erase(std::unique(variable.uses.begin(), variable.uses.end()),
                        variable.uses.end());
  }
  if (!initialiser)
    addZero(unit, declaration->getType(), hash);
  variable.hasDynamicInitialiser =
      (initialiser && !value) || declaration->needsDestruction(unit.ast);
  variable.isConstant = value && declaration->getType().isConstantStorage(unit.ast, true, true);
  variable.fingerprint = hash.finish();
  return variable;
}

} // namespace retest
