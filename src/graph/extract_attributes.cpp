#include "graph/extract_context.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/StringExtras.h>

#include <set>

namespace retest {

using namespace clang;

namespace {

/// Warnings, hints and promises: the code that keeps them behaves the same without.
bool hasNoEffect(const Attr *attribute) {
  return isa<WarnUnusedResultAttr, UnusedAttr, DeprecatedAttr, AvailabilityAttr, FormatAttr,
             FormatArgAttr, NonNullAttr, ReturnsNonNullAttr, FinalAttr, OverrideAttr, BuiltinAttr,
             RestrictAttr, PureAttr, ConstAttr, DiagnoseIfAttr, PreferredNameAttr, NoThrowAttr,
             ConstInitAttr, GuardedByAttr, PtGuardedByAttr, CapabilityAttr, ScopedLockableAttr,
             RequiresCapabilityAttr, AcquireCapabilityAttr, ReleaseCapabilityAttr,
             TryAcquireCapabilityAttr, LocksExcludedAttr, AssertCapabilityAttr, LockReturnedAttr,
             AcquiredAfterAttr, AcquiredBeforeAttr, NoThreadSafetyAnalysisAttr,
             ExclusiveTrylockFunctionAttr, SharedTrylockFunctionAttr, LifetimeBoundAttr,
             PointerAttr, OwnerAttr, SentinelAttr, LikelyAttr, UnlikelyAttr, FallThroughAttr,
             SuppressAttr>(attribute);
}

/// Clang prints the address of some arguments. What stands in quotes is the user's.
std::string withoutAddresses(llvm::StringRef text) {
  std::string clean;
  bool isQuoted = false;
  while (!text.empty()) {
    if (!isQuoted && text.consume_front("0x")) {
      text = text.drop_while([](char c) { return llvm::isHexDigit(c); });
      continue;
    }
    isQuoted ^= text.front() == '"';
    clean += text.front();
    text = text.drop_front();
  }
  return clean;
}

/// The attribute as Clang prints it, without addresses.
std::string textOf(ASTContext &ast, const Attr *attribute) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto *aligned = dyn_cast<AlignedAttr>(attribute)) { // alignas(K): by value
    out << (aligned->isAlignmentDependent() ? 0 : aligned->getAlignment(ast));
    return out.str();
  }
  // Pragmas write nothing that could be printed.
  if (const auto *section = dyn_cast<PragmaClangBSSSectionAttr>(attribute))
    return section->getName().str();
  if (const auto *section = dyn_cast<PragmaClangDataSectionAttr>(attribute))
    return section->getName().str();
  if (const auto *section = dyn_cast<PragmaClangRelroSectionAttr>(attribute))
    return section->getName().str();
  if (const auto *section = dyn_cast<PragmaClangRodataSectionAttr>(attribute))
    return section->getName().str();
  if (const auto *section = dyn_cast<PragmaClangTextSectionAttr>(attribute))
    return section->getName().str();
  attribute->printPretty(out, ast.getPrintingPolicy());
  return withoutAddresses(out.str());
}

/// As a set: most attributes are repeated in each declaration that follows, some are not.
using Texts = std::set<std::string>;

void collect(ASTContext &ast, const Decl *declaration, const std::string &prefix, Texts &texts) {
  for (const Attr *attribute : declaration->attrs())
    if (!hasNoEffect(attribute))
      texts.insert(prefix + std::to_string(attribute->getKind()) + " " + textOf(ast, attribute));
}

} // namespace

Fingerprint UnitContext::attributesOf(const Decl *declaration) {
  auto found = attributes_.find(declaration->getCanonicalDecl());
  if (found != attributes_.end())
    return found->second;
  Texts texts;
  for (const Decl *redeclared : declaration->redecls()) {
    collect(ast, redeclared, "", texts);
    if (const auto *field = dyn_cast<FieldDecl>(redeclared);
        field && field->getType()->getAs<CountAttributedType>())
      texts.insert(field->getType().getAsString());
    if (const auto *function = dyn_cast<FunctionDecl>(redeclared)) // pass_object_size, ...
      for (const ParmVarDecl *parameter : function->parameters())
        collect(ast, parameter, "#" + std::to_string(parameter->getFunctionScopeIndex()) + " ",
                texts);
  }
  // Which of several definitions is meant; the attribute may stand at a namespace or class.
  if (isa<FunctionDecl, VarDecl>(declaration))
    if (LinkageInfo linkage = cast<NamedDecl>(declaration)->getLinkageAndVisibility();
        isExternallyVisible(linkage.getLinkage()) && linkage.getVisibility() != DefaultVisibility)
      texts.insert("visibility " + std::to_string(linkage.getVisibility()));
  FingerprintBuilder hash;
  for (const std::string &text : texts)
    hash.add(llvm::StringRef(text));
  return attributes_[declaration->getCanonicalDecl()] = hash.finish();
}

/// Hints for loops, musttail and their like: no node of the graph stands for them.
void UnitContext::addStatementAttributes(const Stmt *statement, FingerprintBuilder &hash) {
  if (!statement)
    return;
  if (const auto *attributed = dyn_cast<AttributedStmt>(statement))
    for (const Attr *attribute : attributed->getAttrs())
      if (!hasNoEffect(attribute))
        hash.add(attribute->getKind()).add(llvm::StringRef(textOf(ast, attribute)));
  for (const Stmt *child : statement->children())
    addStatementAttributes(child, hash);
}

} // namespace retest
