#include "graph/extract_assembly.h"
#include "graph/extract_destruction.h"
#include "graph/extract_entities.h"
#include "graph/extract_entity_parts.h"
#include "graph/extract_flow.h"
#include "graph/extract_registration.h"
#include "graph/flow_builder.h"

#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

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
  if (const auto *assembly = dyn_cast<FileScopeAsmDecl>(declaration))
    hash.add(filesIncludedBy(unit, assembly->getAsmString()->getBytes()));
  Fingerprint text = hash.finish();

  Node block;
  block.elements.push_back({text.low, function.where});
  if (const auto *assembly = dyn_cast<FileScopeAsmDecl>(declaration))
    block.uses = variablesNamedBy(unit, assembly->getAsmString()->getBytes());
  function.flow = flowOfOneNode(std::move(block), unit.names.intern(""));
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
  std::optional<std::string> test = testRegistration(unit, variable);
  function.isTestRegistration = test.has_value();
  function.registeredTest = test.value_or("");
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
  if (const CXXDestructorDecl *destructor = destructorOf(unit.ast, variable->getType()))
    function.flow.nodes.front().uses.push_back({UseKind::Address, unit.nameOf(destructor)});

  FingerprintBuilder declared;
  declared.add(unit.names.text(function.name)).add(unit.hashOfType(variable->getType()));
  declared.add(unit.attributesOf(variable));
  // When it runs, and in which order: with its unit, once for many units, in each thread.
  declared.add(static_cast<std::uint64_t>(variable->getTLSKind()));
  declared.add(static_cast<std::uint64_t>(function.linkage));
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

} // namespace retest
