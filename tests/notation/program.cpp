#include "tests/notation/program.h"

#include "graph/link_program.h"
#include "graph/unit_fingerprint.h"
#include "tests/notation/flow.h"

#include <llvm/ADT/STLExtras.h>

#include <cassert>

namespace retest {
namespace {

llvm::SmallVector<llvm::StringRef> pieces(llvm::StringRef text, char separator) {
  llvm::SmallVector<llvm::StringRef> result;
  text.split(result, separator, -1, /*KeepEmpty=*/false);
  for (llvm::StringRef &piece : result)
    piece = piece.trim();
  llvm::erase_if(result, [](llvm::StringRef piece) { return piece.empty(); });
  return result;
}

VirtualMethod methodOf(llvm::StringRef text, Names &names) {
  VirtualMethod method;
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    if (text.consume_front("pure "))
      goesOn = method.isPure = true;
    if (text.consume_front("final "))
      goesOn = method.isFinal = true;
  }
  auto [name, overridden] = text.split(" overrides ");
  method.name = names.intern(name.trim());
  for (llvm::StringRef base : pieces(overridden, ','))
    method.overrides.push_back(names.intern(base));
  return method;
}

Class classOf(llvm::StringRef text, Names &names) {
  Class type;
  while (!text.consume_front("class ")) {
    auto [word, rest] = text.split(' ');
    type.isExternal |= word == "external";
    type.isAbstract |= word == "abstract";
    type.isFinal |= word == "final";
    if (word == "internal")
      type.linkage = Linkage::Internal;
    text = rest;
  }
  auto [head, body] = text.split('{');
  auto [name, bases] = head.split(" : ");
  type.name = names.intern(name.trim());
  for (llvm::StringRef base : pieces(bases, ',')) {
    bool isVirtual = base.consume_front("virtual ");
    type.bases.push_back({names.intern(base), isVirtual});
  }
  for (llvm::StringRef method : pieces(body.rtrim("} "), ';'))
    type.virtualMethods.push_back(methodOf(method, names));
  type.dispatch = fingerprintOf(body);
  type.hierarchy = fingerprintOf(bases);
  return type;
}

Linkage takeLinkage(llvm::StringRef &text) {
  if (text.consume_front("weak "))
    return Linkage::Weak;
  if (text.consume_front("internal "))
    return Linkage::Internal;
  text.consume_front("strong ");
  return Linkage::Strong;
}

Function functionOf(llvm::StringRef text, Names &names) {
  Function function;
  if (text.consume_front("initialiser "))
    function.kind = FunctionKind::Initialiser;
  function.isExternal = text.consume_front("external ");
  function.linkage = takeLinkage(text);
  auto [name, body] = text.split(": ");
  function.name = names.intern(name.trim());
  if (name.contains("::~")) {
    function.kind = FunctionKind::Destructor;
    function.ofClass = names.intern(name.take_front(name.find("::~")));
  }
  function.declared = fingerprintOf(name);
  function.flow = flow(body, names);
  function.fingerprint = fingerprintOf(function.flow, names);
  return function;
}

Variable variableOf(llvm::StringRef text, Names &names) {
  Variable variable;
  variable.isExternal = text.consume_front("external ");
  variable.linkage = takeLinkage(text);
  text.consume_front("variable ");
  auto [name, uses] = text.split(": ");
  variable.name = names.intern(name.trim());
  for (llvm::StringRef use : pieces(uses, ','))
    variable.uses.push_back(
        {use.ends_with(")") ? UseKind::Address : UseKind::Variable, names.intern(use)});
  variable.fingerprint = fingerprintOf(uses);
  return variable;
}

} // namespace

UnitGraph unit(llvm::StringRef name, llvm::StringRef text, Names &names) {
  UnitGraph graph;
  graph.name = names.intern(name);
  std::uint32_t line = 1;
  for (llvm::StringRef entry : pieces(text, '\n')) {
    llvm::StringRef head = entry.take_until([](char c) { return c == '{' || c == '('; });
    if (entry.consume_front("doubt ")) {
      graph.doubts.push_back({entry.str(), {}});
      graph.isParsed = !entry.starts_with("did not parse");
    } else if (head.starts_with("class ") || head.contains(" class ")) {
      graph.classes.push_back(classOf(entry, names));
    } else if (head.starts_with("variable ") || head.contains(" variable ")) {
      graph.variables.push_back(variableOf(entry, names));
    } else {
      Function &function = graph.functions.emplace_back(functionOf(entry, names));
      function.where = {{graph.name, line, 1}, {graph.name, line + 9, 1}};
      for (std::uint32_t node = 2; node < function.flow.nodes.size(); ++node)
        for (Element &element : function.flow.nodes[node].elements)
          element.where = {{graph.name, line + node - 1, 3}, {graph.name, line + node - 1, 9}};
      line += 10;
      if (function.kind == FunctionKind::Initialiser)
        graph.initialiser = function.name;
    }
  }
  auto byName = [&](const auto &a, const auto &b) {
    return names.text(a.name) < names.text(b.name);
  };
  llvm::sort(graph.functions, byName);
  llvm::sort(graph.classes, byName);
  llvm::sort(graph.variables, byName);
  graph.fingerprint = fingerprintOf(graph, names);
  return graph;
}

ProgramPlan programPlan(llvm::StringRef text, Names &names) {
  ProgramPlan plan;
  for (llvm::StringRef entry : pieces(text, ';')) {
    auto [name, inputs] = entry.split(" = ");
    LinkedBinary &binary = plan.binaries.emplace_back();
    binary.name = names.intern(name.trim());
    binary.kind = name.trim().ends_with(".a")    ? ProgramKind::Archive
                  : name.trim().ends_with(".so") ? ProgramKind::SharedLibrary
                                                 : ProgramKind::Executable;
    for (llvm::StringRef input : pieces(inputs, ' ')) {
      bool isWhole = input.consume_front("+");
      ProgramInputKind kind = input.ends_with(".cpp")   ? ProgramInputKind::Unit
                              : input.ends_with(".a")   ? ProgramInputKind::Archive
                              : input.ends_with(".so")  ? ProgramInputKind::SharedLibrary
                              : input.starts_with("-l") ? ProgramInputKind::External
                                                        : ProgramInputKind::Object;
      binary.inputs.push_back({kind, names.intern(input), isWhole});
    }
  }
  return plan;
}

Project linked(llvm::ArrayRef<UnitText> units, llvm::StringRef plan, Names &names) {
  std::vector<UnitGraph> graphs;
  for (const UnitText &text : units)
    graphs.push_back(unit(text.name, text.text, names));
  return linkProject(std::move(graphs), programPlan(plan, names), names);
}

std::string show(const Project &project, const ProgramGraph &program, const Names &names) {
  std::string result;
  for (std::uint32_t image = 0; image < program.images.size(); ++image) {
    result += (image ? " | " : "") + names.text(program.images[image]).str() + ":";
    for (const ProgramUnit &entry : program.units)
      if (entry.image == image)
        result += " " + names.text(project[entry.unit].name).str() +
                  (entry.presence == Presence::Possible ? "?" : "");
  }
  return result;
}

FunctionId function(const Project &project, llvm::StringRef name, const Names &names,
                    llvm::StringRef unit) {
  for (const ProjectUnit &candidate : project.units)
    if (unit.empty() || names.text(candidate.name) == unit)
      for (FunctionId id : candidate.functions)
        if (names.text(project[id].name) == name)
          return id;
  assert(false && "no such function");
  return {};
}

} // namespace retest
