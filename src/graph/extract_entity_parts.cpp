#include "graph/extract_entity_parts.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Mangle.h>
#include <clang/Lex/Lexer.h>

namespace retest {

using namespace clang;

Linkage linkageOf(GVALinkage linkage, const Decl *declaration) {
  if (linkage == GVA_Internal)
    return Linkage::Internal;
  // A pragma behind the definition may say so.
  if (linkage == GVA_StrongExternal && !declaration->getMostRecentDecl()->hasAttr<WeakAttr>())
    return Linkage::Strong;
  return Linkage::Weak;
}

bool isInNamedSection(const VarDecl *variable) {
  return variable->hasAttr<SectionAttr>() || variable->hasAttr<PragmaClangBSSSectionAttr>() ||
         variable->hasAttr<PragmaClangDataSectionAttr>() ||
         variable->hasAttr<PragmaClangRelroSectionAttr>() ||
         variable->hasAttr<PragmaClangRodataSectionAttr>();
}

std::vector<NameId> symbolsOf(UnitContext &unit, const NamedDecl *declaration) {
  std::vector<NameId> symbols;
  ASTNameGenerator mangler(unit.ast);
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(declaration)) {
    for (const std::string &symbol : mangler.getAllManglings(declaration))
      symbols.push_back(unit.names.intern(symbol));
  } else if (std::string symbol = mangler.getName(declaration); !symbol.empty()) {
    symbols.push_back(unit.names.intern(symbol));
  }
  return symbols;
}

FunctionKind kindOf(const FunctionDecl *function) {
  if (isa<CXXConstructorDecl>(function))
    return FunctionKind::Constructor;
  if (isa<CXXDestructorDecl>(function))
    return FunctionKind::Destructor;
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (!method)
    return FunctionKind::Free;
  return method->getParent()->isLambda() ? FunctionKind::Lambda : FunctionKind::Method;
}

void addText(UnitContext &unit, const Decl *declaration, FingerprintBuilder &hash) {
  const SourceManager &sources = unit.places.sources();
  SourceLocation begin = sources.getExpansionLoc(declaration->getBeginLoc());
  SourceLocation end = sources.getExpansionRange(declaration->getEndLoc()).getEnd();
  auto [file, offset] = sources.getDecomposedLoc(begin);
  if (begin.isInvalid() || sources.getFileID(end) != file)
    return;
  llvm::StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), unit.ast.getLangOpts(), buffer.begin(),
              buffer.begin() + offset, buffer.end());
  for (Token token; !lexer.LexFromRawLexer(token);) {
    if (sources.getFileOffset(token.getLocation()) > sources.getFileOffset(end))
      break;
    hash.add(llvm::StringRef(Lexer::getSpelling(token, sources, unit.ast.getLangOpts())));
  }
  // What came out of macros: clauses of OpenMP, say.
  std::string expanded;
  llvm::raw_string_ostream out(expanded);
  if (const Stmt *body = declaration->getBody())
    body->printPretty(out, nullptr, unit.ast.getPrintingPolicy());
  hash.add(llvm::StringRef(out.str()));
}

void setFingerprints(UnitContext &unit, Function &function, const FingerprintBuilder &declared) {
  function.declared = declared.finish();
  FingerprintBuilder hash;
  hash.add(function.declared).add(fingerprintOf(function.flow, unit.names));
  function.fingerprint = hash.finish();
}

} // namespace retest
