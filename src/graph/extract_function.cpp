#include "graph/c_library.h"
#include "graph/extract_entities.h"
#include "graph/extract_flow.h"
#include "graph/extract_meaning.h"
#include "graph/extract_registration.h"
#include "graph/extract_unwinding.h"
#include "graph/flow_builder.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Mangle.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

namespace {

Linkage linkageOf(GVALinkage linkage, const Decl *declaration) {
  if (linkage == GVA_Internal)
    return Linkage::Internal;
  // A pragma behind the definition may say so.
  if (linkage == GVA_StrongExternal && !declaration->getMostRecentDecl()->hasAttr<WeakAttr>())
    return Linkage::Strong;
  return Linkage::Weak;
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

/// The tokens of the declaration as written, without comments and layout: for code whose
/// behaviour the graph does not show.
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

/// What a block literal does is not in its value.
bool hasBlock(const Stmt *statement) {
  return statement && (isa<BlockExpr>(statement) || llvm::any_of(statement->children(), hasBlock));
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

/// Whether a header outside the project declares the function or variable, so that its code may use
/// it.
template <class Declaration>
bool isDeclaredOutside(UnitContext &unit, const Declaration *declared) {
  return llvm::any_of(declared->redecls(), [&](const Declaration *declaration) {
    return !declaration->isImplicit() && declaration->getLocation().isValid() &&
           declaration->getTemplateSpecializationKind() != TSK_ImplicitInstantiation &&
           !unit.isInProject(declaration);
  });
}

/// REQUIRES: the function is defined in the project.
bool isReplacement(UnitContext &unit, const FunctionDecl *function) {
  if (function->isReplaceableGlobalAllocationFunction() || function->getBuiltinID() != 0)
    return true;
  const IdentifierInfo *name = function->getIdentifier();
  if (name && function->isExternC() &&
      (isReserved(name->getName()) || isInCLibrary(name->getName().str())))
    return true;
  return isDeclaredOutside(unit, function);
}

void addParameterUses(UnitContext &unit, const FunctionDecl *function, FlowGraph &flow) {
  for (const ParmVarDecl *parameter : function->parameters())
    if (const CXXRecordDecl *record = parameter->getType()->getAsCXXRecordDecl();
        record && unit.isInProject(record))
      flow.nodes.front().uses.push_back({UseKind::Layout, unit.nameOf(record)});
  std::vector<Use> &uses = flow.nodes.front().uses;
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
}

/// REQUIRES: the flow graph is there.
void setFingerprints(UnitContext &unit, Function &function, const FingerprintBuilder &declared) {
  function.declared = declared.finish();
  FingerprintBuilder hash;
  hash.add(function.declared).add(fingerprintOf(function.flow, unit.names));
  function.fingerprint = hash.finish();
}

} // namespace

Function extractFunction(UnitContext &unit, const FunctionDecl *declaration) {
  Function function;
  function.name = unit.nameOf(declaration);
  function.kind = kindOf(declaration);
  function.linkage = linkageOf(unit.ast.GetGVALinkageForFunction(declaration), declaration);
  function.symbols = symbolsOf(unit, declaration);
  const auto *method = dyn_cast<CXXMethodDecl>(declaration);
  if (method)
    function.ofClass = unit.nameOf(method->getParent());
  function.isImplicit = declaration->isImplicit();
  function.isExternal = !unit.isInProject(declaration);
  function.isSystemHeader =
      !function.isExternal && unit.places.isInSystemHeader(declaration->getLocation());
  function.isVirtual = method && method->isVirtual();
  function.isNoexcept = !mayThrow(unit.ast, declaration);
  function.isConstexpr = declaration->isConstexpr();
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
  if (!function.unmodelled.empty())
    addText(unit, declaration, declared);
  setFingerprints(unit, function, declared);
  return function;
}

llvm::StringRef aliasedSymbol(const Decl *declaration) {
  if (const auto *alias = declaration->getAttr<AliasAttr>())
    return alias->getAliasee();
  if (const auto *chosen = declaration->getAttr<IFuncAttr>())
    return chosen->getResolver();
  return declaration->getAttr<AsmLabelAttr>()->getLabel();
}

/// Strong if it makes a symbol of its own; an asm label only declares.
static Linkage aliasLinkage(const Decl *declaration, GVALinkage linkage) {
  bool isDefinition = declaration->hasAttr<AliasAttr>() || declaration->hasAttr<IFuncAttr>();
  return isDefinition ? linkageOf(linkage, declaration) : Linkage::Weak;
}

Function extractAlias(UnitContext &unit, const FunctionDecl *declaration, NameId target) {
  Function function;
  function.name = unit.nameOf(declaration);
  function.kind = kindOf(declaration);
  function.linkage = aliasLinkage(declaration, unit.ast.GetGVALinkageForFunction(declaration));
  function.symbols = symbolsOf(unit, declaration);
  function.isImplicit = true; // no coverage record
  function.where = unit.places.range(declaration->getSourceRange());
  FlowBuilder flow;
  NodeId call = flow.addNode(NodeKind::Call);
  flow.node(call).call = {CallKind::Direct, target, {}};
  flow.node(call).elements.push_back({llvm::xxh3_64bits(unit.names.text(target)), {}});
  flow.addEdge(FlowBuilder::kEntry, call, EdgeKind::Flow, unit.names.intern(""));
  flow.addEdge(call, FlowBuilder::kExit, EdgeKind::Path, unit.names.intern(""));
  function.flow = flow.finish();
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

bool isReadFromOutside(UnitContext &unit, const VarDecl *variable) {
  return variable->hasAttr<SectionAttr>() || variable->hasAttr<UsedAttr>() ||
         (variable->hasExternalFormalLinkage() && unit.isInProject(variable) &&
          isDeclaredOutside(unit, variable));
}

Function extractUnmodelled(UnitContext &unit, const Decl *declaration, std::size_t number) {
  Function function;
  function.unmodelled = std::string(declaration->getDeclKindName()) + " outside of functions";
  function.name = unit.names.intern("(" + function.unmodelled + ")#" + std::to_string(number));
  function.kind = FunctionKind::Initialiser;
  function.linkage = Linkage::Internal;
  function.isImplicit = true;
  function.where = unit.places.range(declaration->getSourceRange());
  FingerprintBuilder hash;
  addText(unit, declaration, hash);
  std::string expanded;
  llvm::raw_string_ostream out(expanded);
  declaration->print(out, unit.ast.getPrintingPolicy());
  hash.add(llvm::StringRef(out.str()));
  Fingerprint text = hash.finish();

  FlowBuilder flow;
  NodeId block = flow.addNode(NodeKind::Block);
  flow.node(block).elements.push_back({text.low, function.where});
  flow.addEdge(FlowBuilder::kEntry, block, EdgeKind::Flow, unit.names.intern(""));
  flow.addEdge(block, FlowBuilder::kExit, EdgeKind::Flow, unit.names.intern(""));
  function.flow = flow.finish();
  setFingerprints(unit, function, hash);
  return function;
}

NameId initialiserName(UnitContext &unit, const VarDecl *variable) {
  return unit.names.intern(unit.entities.of(variable).str() + " (initialiser)");
}

Function extractInitialiser(UnitContext &unit, const VarDecl *variable) {
  Function function;
  function.name = initialiserName(unit, variable);
  function.kind = FunctionKind::Initialiser;
  function.linkage = linkageOf(unit.ast.GetGVALinkageForVariable(variable), variable);
  function.isImplicit = true; // the compiler wraps the initialiser: no coverage record
  function.isSystemHeader = unit.places.isInSystemHeader(variable->getLocation());
  function.isTestRegistration = isTestRegistration(unit, variable);
  function.where = unit.places.range(variable->getSourceRange());
  if (variable->getInit()) {
    ExtractedFlow flow =
        extractFlow(unit, variable, nullptr, const_cast<Expr *>(variable->getInit()));
    function.flow = std::move(flow.graph);
    function.unmodelled = std::move(flow.unmodelled);
  } else {
    FlowBuilder empty;
    empty.addEdge(FlowBuilder::kEntry, FlowBuilder::kExit, EdgeKind::Flow, unit.names.intern(""));
    function.flow = empty.finish();
  }

  // The destructor runs at exit, after every test of the process.
  const CXXRecordDecl *record =
      unit.ast.getBaseElementType(variable->getType())->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor() &&
      record->getDestructor())
    function.flow.nodes.front().uses.push_back(
        {UseKind::Address, unit.nameOf(record->getDestructor())});

  FingerprintBuilder declared;
  declared.add(unit.names.text(function.name)).add(unit.hashOfType(variable->getType()));
  declared.add(unit.attributesOf(variable));
  if (!function.unmodelled.empty())
    addText(unit, variable, declared);
  setFingerprints(unit, function, declared);
  return function;
}

Function extractUnitInitialiser(UnitContext &unit, NameId unitName,
                                const std::vector<NameId> &initialisers) {
  Function function;
  function.name = unit.names.intern(("(initialiser of " + unit.names.text(unitName) + ")").str());
  function.kind = FunctionKind::Initialiser;
  function.linkage = Linkage::Internal;
  function.isImplicit = true;
  FlowBuilder flow;
  NameId nothing = unit.names.intern("");
  NodeId last = FlowBuilder::kEntry;
  EdgeKind kind = EdgeKind::Flow;
  for (NameId initialiser : initialisers) {
    NodeId call = flow.addNode(NodeKind::Call);
    flow.node(call).call = {CallKind::Direct, initialiser, {}};
    flow.node(call).elements.push_back({llvm::xxh3_64bits(unit.names.text(initialiser)), {}});
    flow.addEdge(last, call, kind, nothing);
    kind = EdgeKind::Path;
    last = call;
  }
  flow.addEdge(last, FlowBuilder::kExit, kind, nothing);
  function.flow = flow.finish();
  setFingerprints(unit, function, {});
  return function;
}

Variable extractVariable(UnitContext &unit, const VarDecl *declaration) {
  Variable variable;
  variable.name = unit.nameOf(declaration);
  variable.linkage = linkageOf(unit.ast.GetGVALinkageForVariable(declaration), declaration);
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
      std::string text;
      llvm::raw_string_ostream out(text);
      unit.entities.printValue(*value, declaration->getType(), out);
      hash.add(llvm::StringRef(out.str()));
    }
    if (!value || hasBlock(initialiser))
      hash.add(written);
    variable.uses = meaning.uses;
    std::sort(variable.uses.begin(), variable.uses.end());
    variable.uses.erase(std::unique(variable.uses.begin(), variable.uses.end()),
                        variable.uses.end());
  }
  variable.hasDynamicInitialiser =
      (initialiser && !value) || declaration->needsDestruction(unit.ast);
  variable.fingerprint = hash.finish();
  return variable;
}

} // namespace retest
