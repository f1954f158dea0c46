#include "graph/c_library.h"
#include "graph/extract_entities.h"
#include "graph/extract_entity_parts.h"
#include "graph/extract_flow.h"
#include "graph/extract_meaning.h"
#include "graph/extract_unwinding.h"

#include <clang/AST/Attr.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

using namespace clang;

namespace {

bool hasStaticLocal(const Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration);
          variable && variable->isStaticLocal())
        return true;
  return llvm::any_of(statement->children(),
                      [](const Stmt *child) { return hasStaticLocal(child); });
}

/// What a declaration says that is neither in its type nor in its body.
void addDeclared(UnitContext &unit, const FunctionDecl *function, FingerprintBuilder &hash) {
  Meaning meaning(unit, function);
  for (const ParmVarDecl *parameter : function->parameters())
    hash.add(meaning.ofSizes(parameter->getOriginalType()));
  const auto *type = function->getType()->getAs<FunctionProtoType>();
  if (type && isDynamicExceptionSpec(type->getExceptionSpecType())) // throw(A): not canonical
    for (QualType thrown : type->exceptions())
      hash.add(unit.hashOfType(thrown));
  unit.addStatementAttributes(function->getBody(), hash);
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(function))
    if (const FunctionDecl *deletes = destructor->getOperatorDelete())
      hash.add(unit.hashOfName(deletes));
}

/// A name that the standard keeps for the implementation: `__x`, `_X`.
bool isReserved(llvm::StringRef name) {
  return name.starts_with("__") || (name.size() > 1 && name[0] == '_' && llvm::isUpper(name[1]));
}

/// REQUIRES: the function is defined in the project.
bool isReplacement(UnitContext &unit, const FunctionDecl *function) {
  if (function->isReplaceableGlobalAllocationFunction() || function->getBuiltinID() != 0)
    return true;
  const IdentifierInfo *name = function->getIdentifier();
  if (name && function->isExternC() &&
      (isReserved(name->getName()) || mayBeInCLibrary(name->getName().str())))
    return true;
  return isDeclaredOutside(unit, function);
}

void addParameterUses(UnitContext &unit, const FunctionDecl *function, FlowGraph &flow) {
  for (const ParmVarDecl *parameter : function->parameters())
    if (const CXXRecordDecl *record = parameter->getType()->getAsCXXRecordDecl();
        record && unit.isInProject(record))
      flow.nodes.front().uses.push_back({UseKind::Layout, unit.nameOf(record)});
}

} // namespace

Function extractFunction(UnitContext &unit, const FunctionDecl *declaration) {
  Function function;
  function.name = unit.nameOf(declaration);
  function.kind = kindOf(declaration);
  GVALinkage linkage = unit.ast.GetGVALinkageForFunction(declaration);
  function.linkage = linkageOf(linkage, declaration);
  function.isEmittedElsewhere = linkage == GVA_AvailableExternally;
  function.symbols = symbolsOf(unit, declaration);
  const auto *method = dyn_cast<CXXMethodDecl>(declaration);
  if (method)
    function.ofClass = unit.nameOf(method->getParent());
  function.isImplicit = declaration->isImplicit();
  function.isExternal = !unit.isInProject(declaration) && !unit.isDefinedInProject(declaration);
  function.isSystemHeader =
      !function.isExternal && unit.places.isInSystemHeader(declaration->getLocation());
  function.isVirtual = method && method->isVirtual();
  function.isNoexcept = !mayThrow(unit.ast, declaration);
  function.isConstexpr = declaration->isConstexpr();
  function.isDoneInPlace = declaration->isTrivial() || declaration->isImmediateFunction();
  function.isPure = declaration->hasAttr<PureAttr>() || declaration->hasAttr<ConstAttr>();
  function.isReplacement = !function.isExternal && function.linkage != Linkage::Internal &&
                           isReplacement(unit, declaration);
  if (!function.isImplicit)
    function.compiledOut = unit.compiledOut.inside(declaration->getSourceRange());
  function.where = unit.places.range(declaration->getSourceRange());

  ExtractedFlow flow = extractFlow(unit, declaration, declaration, declaration->getBody());
  function.flow = std::move(flow.graph);
  function.unmodelled = std::move(flow.unmodelled);
  addParameterUses(unit, declaration, function.flow);

  FingerprintBuilder declared;
  declared.add(unit.entities.of(declaration)).add(unit.hashOfType(declaration->getType()));
  declared.add(unit.attributesOf(declaration));
  addDeclared(unit, declaration, declared);
  if (hasStaticLocal(declaration->getBody())) // one for each unit, or one for all
    declared.add(static_cast<std::uint64_t>(function.linkage));
  if (!function.unmodelled.empty()) {
    addText(unit, declaration, declared);
    addClauses(unit, declaration, function.flow, declared);
  }
  std::vector<Use> &uses = function.flow.nodes.front().uses;
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  setFingerprints(unit, function, declared);
  return function;
}

} // namespace retest
