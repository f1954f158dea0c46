#include "tests/notation/extracted.h"

#include "graph/extract_project.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>

namespace retest {

namespace {

std::string nodeName(const ExtractedUnit &unit, const Node &node) {
  std::string callee = unit.names.text(node.call.callee).str();
  switch (node.kind) {
  case NodeKind::Entry:
    return "entry";
  case NodeKind::Exit:
    return "exit";
  case NodeKind::ExceptionalExit:
    return "exceptional exit";
  case NodeKind::Terminate:
    return "terminate";
  case NodeKind::Try:
    return "try";
  case NodeKind::Cleanup:
    return "cleanup " + callee;
  case NodeKind::Call:
    if (node.call.kind == CallKind::Indirect)
      return "call through pointer";
    return (node.call.kind == CallKind::Virtual ? "virtual call " : "call ") + callee;
  default:
    break;
  }
  unsigned line = 0;
  for (const Element &element : node.elements)
    if (line == 0)
      line = element.where.begin.line;
  return fmt::format("{} {}", node.kind == NodeKind::Catch ? "catch" : "block", line);
}

template <class Value>
const Value &named(const ExtractedUnit &unit, const std::vector<Value> &values,
                   const std::string &name) {
  for (const Value &value : values)
    if (unit.names.text(value.name) == name)
      return value;
  FAIL("no " << name << " in the unit");
  return values.front();
}

std::multimap<std::string, std::string> meanings(const ExtractedUnit &unit) {
  std::multimap<std::string, std::string> all;
  for (const Function &function : unit.record.graph.functions)
    all.emplace(unit.names.text(function.name), toHex(function.fingerprint));
  for (const Variable &variable : unit.record.graph.variables)
    all.emplace("variable " + unit.names.text(variable.name).str(), toHex(variable.fingerprint));
  for (const Class &type : unit.record.graph.classes) {
    std::string name = unit.names.text(type.name).str();
    all.emplace("layout of " + name, toHex(type.layout));
    all.emplace("bases of " + name, toHex(type.hierarchy));
    all.emplace("virtuals of " + name, toHex(type.dispatch));
  }
  return all;
}

} // namespace

ExtractedUnit extracted(const std::string &source, const SourceOptions &options) {
  TemporaryDirectory directory;
  std::string root = directory / "project";
  directory.write("project/" + options.file, source);
  for (const auto &[name, content] : options.headers)
    directory.write("project/" + name, content);
  Unit unit{options.file, {root, root + "/" + options.file, "", {options.compiler}}};
  for (const std::string &flag : options.flags)
    unit.command.arguments.push_back(flag);
  unit.command.arguments.push_back(options.file);
  CompileDatabase database{"", {unit}, {}};
  ExtractOptions extract = llvm::cantFail(prepareExtraction(database));
  extract.lineSensitive = options.lineSensitive;
  ProjectPaths paths{root, root + "/build"};
  ExtractedUnit result = extractUnit(unit, paths, extract);
  CHECK(result.record.error == "");
  return result;
}

const Function &functionNamed(const ExtractedUnit &unit, const std::string &name) {
  return named(unit, unit.record.graph.functions, name);
}
const Class &classNamed(const ExtractedUnit &unit, const std::string &name) {
  return named(unit, unit.record.graph.classes, name);
}
const Variable &variableNamed(const ExtractedUnit &unit, const std::string &name) {
  return named(unit, unit.record.graph.variables, name);
}

std::vector<std::string> functionNames(const ExtractedUnit &unit) {
  std::vector<std::string> names;
  for (const Function &function : unit.record.graph.functions)
    names.push_back(unit.names.text(function.name).str());
  return names;
}

bool hasUse(const ExtractedUnit &unit, const std::string &function, UseKind kind,
            const std::string &entity) {
  for (const Node &node : functionNamed(unit, function).flow.nodes)
    for (const Use &use : node.uses)
      if (use.kind == kind && unit.names.text(use.entity) == entity)
        return true;
  return false;
}

std::string edgesOf(const ExtractedUnit &unit, const std::string &function) {
  const FlowGraph &flow = functionNamed(unit, function).flow;
  std::string text;
  for (const FlowEdge &edge : flow.edges) {
    std::string label = unit.names.text(edge.label).str();
    std::string arrow = label.empty() ? "->" : "-" + label + "->";
    if (edge.kind == EdgeKind::Path)
      arrow = "=>";
    else if (edge.kind == EdgeKind::Exception)
      arrow = "~>";
    text += fmt::format("{} {} {}\n", nodeName(unit, flow.nodes[edge.from.value]), arrow,
                        nodeName(unit, flow.nodes[edge.to.value]));
  }
  return text;
}

std::string meaningOf(const ExtractedUnit &unit) {
  std::string text;
  for (const auto &[name, fingerprint] : meanings(unit))
    text += fingerprint + " " + name + "\n";
  return text;
}

std::string meaningOf(const std::string &source, const SourceOptions &options) {
  return meaningOf(extracted(source, options));
}

std::string changed(const std::string &baseline, const std::string &current,
                    const SourceOptions &options) {
  auto before = meanings(extracted(baseline, options));
  auto after = meanings(extracted(current, options));
  std::set<std::string> names;
  auto differing = [&](const auto &some, const auto &others) {
    for (const auto &entry : some)
      if (std::find(others.begin(), others.end(), entry) == others.end())
        names.insert(entry.first);
  };
  differing(before, after);
  differing(after, before);
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace retest
