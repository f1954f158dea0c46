#include "graph/encode.h"

#include "graph/coder.h"
#include "support/error.h"

namespace retest {
namespace {

// The format, told once for both directions. `Coder` is an Encoder with const values or a
// Decoder with values to fill; the sizes are the fewest bytes that one entry of a list takes.

template <class Coder, class Range> void codeRange(Coder &coder, Range &range) {
  coder.position(range.begin);
  coder.position(range.end);
  if constexpr (std::is_same_v<Coder, LineScanner>)
    coder.look(range);
}

template <class Coder, class List> void codeNames(Coder &coder, List &names) {
  coder.list(names, 1, [&](auto &name) { coder.name(name); });
}

template <class Coder, class List> void codeEachUse(Coder &coder, List &uses) {
  coder.list(uses, 2, [&](auto &use) {
    coder.choice(use.kind, UseKind::Hierarchy);
    coder.name(use.entity);
  });
}

/// Sorted by ids, which are others in another run: the bytes have them in the order of the text.
void codeUses(Encoder &coder, std::vector<Use> uses) {
  llvm::sort(uses, [&](const Use &a, const Use &b) {
    return std::pair(a.kind, coder.textOf(a.entity)) < std::pair(b.kind, coder.textOf(b.entity));
  });
  codeEachUse(coder, uses);
}

void codeUses(Decoder &coder, std::vector<Use> &uses) {
  codeEachUse(coder, uses);
  llvm::sort(uses);
}

void codeUses(LineScanner &coder, std::vector<Use> &uses) { codeEachUse(coder, uses); }

/// As a list of places, which is what stores of version 2 have here: those inside the macros.
template <class Coder> void codeMacroPlaces(Coder &coder, std::vector<SourcePosition> &places) {
  coder.list(places, 2, [&](auto &place) { coder.position(place); });
}

void codeIsInMacro(Encoder &coder, bool isInMacro) {
  std::vector<SourcePosition> places(isInMacro ? 1 : 0);
  codeMacroPlaces(coder, places);
}

void codeIsInMacro(Decoder &coder, bool &isInMacro) {
  std::vector<SourcePosition> places;
  codeMacroPlaces(coder, places);
  isInMacro = !places.empty();
}

void codeIsInMacro(LineScanner &coder, bool &) {
  std::vector<SourcePosition> places;
  codeMacroPlaces(coder, places);
}

template <class Coder, class NodeType> void codeNode(Coder &coder, NodeType &node) {
  coder.choice(node.kind, NodeKind::Catch);
  coder.list(node.elements, 4, [&](auto &element) {
    coder.hash(element.fingerprint);
    codeRange(coder, element.where);
  });
  coder.choice(node.call.kind, CallKind::Indirect);
  coder.name(node.call.callee);
  coder.name(node.call.receiver);
  coder.list(node.locals, 1, [&](auto &local) { coder.number(local); });
  codeUses(coder, node.uses);
  codeIsInMacro(coder, node.isInMacro);
}

template <class Coder, class Graph> void codeFlow(Coder &coder, Graph &flow) {
  coder.list(flow.nodes, 8, [&](auto &node) { codeNode(coder, node); });
  std::uint32_t from = 0; // edges are sorted by origin
  coder.list(flow.edges, 4, [&](auto &edge) {
    coder.index(edge.from.value, from, flow.nodes.size());
    from = edge.from.value;
    coder.index(edge.to.value, from, flow.nodes.size());
    coder.choice(edge.kind, EdgeKind::Return);
    coder.name(edge.label);
  });
}

template <class Coder, class F> void codeFunctionValue(Coder &coder, F &function) {
  coder.name(function.name);
  coder.choice(function.kind, FunctionKind::Initialiser);
  coder.choice(function.linkage, Linkage::Strong);
  codeNames(coder, function.symbols);
  coder.name(function.ofClass);
  coder.flags(function.isImplicit, function.isExternal, function.isSystemHeader, function.isVirtual,
              function.isNoexcept, function.isConstexpr, function.isReplacement,
              function.isTestRegistration, function.isEmittedElsewhere, function.isDoneInPlace,
              function.isPure);
  coder.hash(function.fingerprint);
  coder.hash(function.declared);
  coder.hash(function.compiledOut);
  codeRange(coder, function.where);
  codeFlow(coder, function.flow);
  coder.text(function.unmodelled);
  if (coder.version() >= 4)
    coder.text(function.registeredTest);
}

template <class Coder, class C> void codeClassValue(Coder &coder, C &value) {
  coder.name(value.name);
  coder.choice(value.linkage, Linkage::Strong);
  coder.flags(value.isExternal, value.isAbstract, value.isFinal);
  coder.list(value.bases, 2, [&](auto &base) {
    coder.name(base.name);
    coder.flags(base.isVirtual);
  });
  coder.list(value.virtualMethods, 3, [&](auto &method) {
    coder.name(method.name);
    codeNames(coder, method.overrides);
    coder.flags(method.isPure, method.isFinal);
  });
  coder.hash(value.layout);
  coder.hash(value.hierarchy);
  coder.hash(value.dispatch);
  codeRange(coder, value.where);
}

template <class Coder, class V> void codeVariableValue(Coder &coder, V &variable) {
  coder.name(variable.name);
  coder.choice(variable.linkage, Linkage::Strong);
  codeNames(coder, variable.symbols);
  coder.flags(variable.isExternal, variable.hasDynamicInitialiser, variable.isConstant,
              variable.isEmittedElsewhere);
  coder.hash(variable.fingerprint);
  codeUses(coder, variable.uses);
  codeRange(coder, variable.where);
}

template <class Coder, class Unit> void codeUnitRest(Coder &coder, Unit &unit) {
  coder.name(unit.name);
  coder.name(unit.initialiser);
  coder.list(unit.doubts, 3, [&](auto &doubt) {
    coder.text(doubt.text);
    coder.position(doubt.where);
  });
  coder.hash(unit.fingerprint);
  coder.hash(unit.flags);
  coder.hash(unit.givenToLibraries);
  coder.list(unit.compiledOut, 1, [&](auto &text) {
    coder.name(text.file);
    coder.hash(text.text);
    coder.hash(text.content);
  });
  coder.flags(unit.isParsed);
}

template <class Value>
llvm::Expected<Value> decoded(EncodedRef bytes, Names &names, const char *what,
                              void (*code)(Decoder &, Value &)) {
  Decoder coder(bytes, names);
  Value value;
  code(coder, value);
  if (llvm::Error damage = coder.finish(what))
    return damage;
  return value;
}

} // namespace

Encoded encodeFunction(const Function &function, const Names &names) {
  Encoder coder(names, function.name, function.where.begin);
  codeFunctionValue(coder, function);
  return coder.finish();
}

Encoded encodeClass(const Class &value, const Names &names) {
  Encoder coder(names, value.name, value.where.begin);
  codeClassValue(coder, value);
  return coder.finish();
}

Encoded encodeVariable(const Variable &variable, const Names &names) {
  Encoder coder(names, variable.name, variable.where.begin);
  codeVariableValue(coder, variable);
  return coder.finish();
}

Encoded encodeUnitRest(const UnitGraph &unit, const Names &names) {
  Encoder coder(names, unit.name, {});
  codeUnitRest(coder, unit);
  return coder.finish();
}

llvm::Expected<Function> decodeFunction(EncodedRef bytes, Names &names) {
  return decoded<Function>(bytes, names, "function", codeFunctionValue<Decoder, Function>);
}

bool isOnLine(EncodedRef bytes, llvm::StringRef file, std::uint32_t line) {
  LineScanner scanner(bytes, file, line);
  Function function;
  codeFunctionValue(scanner, function);
  return scanner.isFound();
}

llvm::Expected<Class> decodeClass(EncodedRef bytes, Names &names) {
  return decoded<Class>(bytes, names, "class", codeClassValue<Decoder, Class>);
}

llvm::Expected<Variable> decodeVariable(EncodedRef bytes, Names &names) {
  return decoded<Variable>(bytes, names, "variable", codeVariableValue<Decoder, Variable>);
}

llvm::Expected<UnitGraph> decodeUnitRest(EncodedRef bytes, Names &names) {
  return decoded<UnitGraph>(bytes, names, "unit", codeUnitRest<Decoder, UnitGraph>);
}

llvm::Expected<llvm::StringRef> decodeName(llvm::StringRef names) {
  ByteReader table(names);
  llvm::StringRef name = table.text();
  if (table.hasFailed())
    return error(ErrorKind::Store, "the stored name is damaged");
  return name;
}

} // namespace retest
