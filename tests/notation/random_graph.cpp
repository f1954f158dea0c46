#include "tests/notation/random_graph.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace retest {

std::string RandomGraph::text() {
  static const char *const kWords[] = {"std::vector<", "ns::Box<int>", "::put(",   "const",
                                       "\xc3\xa9",     "operator()",   "lambda#1", ""};
  std::string text;
  for (unsigned i = below(5); i > 0; --i)
    text += kWords[below(std::size(kWords))];
  return text;
}

NameId RandomGraph::name() { return below(8) == 0 ? NameId{} : names_.intern(text()); }

SourcePosition RandomGraph::position() {
  static const std::uint32_t kLines[] = {0, 1, 7, 100, 65536, UINT32_MAX};
  static const char *const kFiles[] = {"src/a.cpp", "src/a.h"};
  NameId file = below(6) == 0 ? NameId{} : names_.intern(kFiles[below(2)]);
  return {file, kLines[below(std::size(kLines))], kLines[below(std::size(kLines))]};
}

std::vector<NameId> RandomGraph::names() {
  std::vector<NameId> result(below(4));
  std::generate(result.begin(), result.end(), [&] { return name(); });
  return result;
}

std::vector<Use> RandomGraph::uses() {
  std::vector<Use> result(below(4));
  for (Use &use : result)
    use = {choice(UseKind::Hierarchy), name()};
  llvm::sort(result);
  return result;
}

Node RandomGraph::node() {
  Node node;
  node.kind = choice(NodeKind::Catch);
  node.elements.resize(below(5));
  for (Element &element : node.elements)
    element = {wide(), range()};
  node.call = {choice(CallKind::Indirect), name(), name()};
  node.locals.resize(below(3));
  for (std::uint32_t &local : node.locals)
    local = random_();
  node.uses = uses();
  node.isInMacro = below(2) == 1;
  return node;
}

Function RandomGraph::function() {
  Function function;
  function.name = name();
  function.kind = choice(FunctionKind::Initialiser);
  function.linkage = choice(Linkage::Strong);
  function.symbols = names();
  function.ofClass = name();
  for (bool *bit : {&function.isImplicit, &function.isExternal, &function.isSystemHeader,
                    &function.isVirtual, &function.isNoexcept, &function.isConstexpr,
                    &function.isReplacement, &function.isTestRegistration,
                    &function.isEmittedElsewhere, &function.isDoneInPlace, &function.isPure})
    *bit = flag();
  function.fingerprint = fingerprint();
  function.declared = fingerprint();
  function.compiledOut = flag() ? fingerprint() : Fingerprint{};
  function.where = range();
  for (unsigned i = 1 + below(6); i > 0; --i)
    function.flow.nodes.push_back(node());
  std::uint32_t nodes = function.flow.nodes.size();
  for (unsigned i = below(10); i > 0; --i)
    function.flow.edges.push_back(
        {NodeId{below(nodes)}, NodeId{below(nodes)}, choice(EdgeKind::Return), name()});
  function.unmodelled = text();
  function.registeredTest = text();
  return function;
}

Class RandomGraph::classValue() {
  Class value;
  value.name = name();
  value.linkage = choice(Linkage::Strong);
  for (bool *bit : {&value.isExternal, &value.isAbstract, &value.isFinal})
    *bit = flag();
  value.bases.resize(below(3));
  for (BaseClass &base : value.bases)
    base = {name(), flag()};
  value.virtualMethods.resize(below(4));
  for (VirtualMethod &method : value.virtualMethods)
    method = {name(), names(), flag(), flag()};
  value.layout = fingerprint();
  value.hierarchy = fingerprint();
  value.dispatch = fingerprint();
  value.where = range();
  return value;
}

Variable RandomGraph::variable() {
  Variable variable;
  variable.name = name();
  variable.linkage = choice(Linkage::Strong);
  variable.symbols = names();
  variable.isExternal = flag();
  variable.hasDynamicInitialiser = flag();
  variable.isConstant = flag();
  variable.fingerprint = fingerprint();
  variable.uses = uses();
  variable.where = range();
  return variable;
}

UnitGraph RandomGraph::unitGraph(std::string unitName, unsigned functions) {
  UnitGraph unit;
  unit.name = names_.intern(unitName);
  for (unsigned i = 0; i < functions; ++i)
    unit.functions.push_back(function());
  for (unsigned i = below(4); i > 0; --i)
    unit.classes.push_back(classValue());
  for (unsigned i = below(4); i > 0; --i)
    unit.variables.push_back(variable());
  unit.initialiser = name();
  for (unsigned i = below(3); i > 0; --i)
    unit.doubts.push_back({text(), position()});
  unit.fingerprint = fingerprint();
  unit.flags = fingerprint();
  for (unsigned i = below(3); i > 0; --i)
    unit.compiledOut.push_back({name(), fingerprint(), fingerprint()});
  unit.isParsed = flag();
  return unit;
}

UnitRecord RandomGraph::unit(std::string unitName, unsigned functions) {
  UnitRecord unit;
  unit.name = unitName;
  unit.source = unitName;
  unit.object = below(4) == 0 ? "" : "<build>/" + unitName + ".o";
  unit.command = fingerprint();
  for (const char *path : {"src/a.h", "src/b.h", "/usr/include/stdio.h"})
    if (flag())
      unit.inputs.push_back({path, fingerprintOf(text()), {}});
  for (FileInput &input : unit.inputs)
    if (isExternal(input))
      input.seen = fingerprintOf(text());
  unit.inputs.push_back({unitName, fingerprint(), {}});
  std::sort(unit.inputs.begin(), unit.inputs.end());
  for (const char *path : {"inc/a.h", "inc/b.h", "src/missing.h"})
    if (flag())
      unit.missed.push_back(path);
  unit.graph = unitGraph(unitName, functions);
  unit.graph.externalHeaders = externalHeadersOf(unit.inputs, names_);
  return unit;
}

} // namespace retest
