#include "report/json_values.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>

namespace retest {

void JsonValues::names(llvm::StringRef key, llvm::ArrayRef<NameId> values) {
  if (values.empty())
    return;
  json_.attributeArray(key, [&] {
    for (NameId value : values)
      json_.value(text(value));
  });
}

void writeNumbers(llvm::json::OStream &json, llvm::StringRef key,
                  llvm::ArrayRef<std::uint32_t> numbers) {
  json.attributeBegin(key);
  json.rawValue([&](llvm::raw_ostream &out) {
    out << '[';
    llvm::interleave(numbers, out, ",");
    out << ']';
  });
  json.attributeEnd();
}

void JsonValues::place(llvm::StringRef key, const SourcePosition &position) {
  writeNumbers(json_, key, {position.line, position.column});
}

/// The file is written only where it differs from that of the function.
void JsonValues::range(const SourceRange &where, NameId file) {
  if (!where.begin.isKnown())
    return;
  if (where.begin.file != file)
    json_.attribute("file", text(where.begin.file));
  place("begin", where.begin);
  if (where.end.isKnown())
    place("end", where.end);
}

/// Stored by id, which depends on the order in which units were read; written by text.
void JsonValues::uses(llvm::ArrayRef<Use> uses) {
  if (uses.empty())
    return;
  std::vector<Use> sorted(uses.begin(), uses.end());
  llvm::sort(sorted, [&](const Use &a, const Use &b) {
    return std::pair(a.kind, names_.text(a.entity)) < std::pair(b.kind, names_.text(b.entity));
  });
  json_.attributeArray("uses", [&] {
    for (const Use &use : sorted)
      json_.object([&] {
        json_.attribute("kind", wordFor(use.kind));
        json_.attribute("entity", text(use.entity));
      });
  });
}

void JsonValues::node(const Node &node, NameId file) {
  json_.attribute("kind", wordFor(node.kind));
  if (!node.elements.empty())
    json_.attributeArray("elements", [&] {
      for (const Element &element : node.elements)
        json_.object([&] {
          json_.attribute("fingerprint", fmt::format("{:016x}", element.fingerprint));
          range(element.where, file);
        });
    });
  if (node.kind == NodeKind::Call || node.kind == NodeKind::Cleanup)
    json_.attributeObject("call", [&] {
      json_.attribute("kind", wordFor(node.call.kind));
      if (node.call.callee.isValid())
        json_.attribute("callee", text(node.call.callee));
      if (node.call.receiver.isValid())
        json_.attribute("receiver", text(node.call.receiver));
    });
  if (!node.locals.empty())
    writeNumbers(json_, "locals", node.locals);
  uses(node.uses);
  if (node.isInMacro)
    json_.attribute("in_macro", true);
}

void JsonValues::function(FunctionId id) {
  const Function &function = project_[id];
  NameId file = function.where.begin.file;
  json_.object([&] {
    json_.attribute("id", id.value);
    json_.attribute("name", text(function.name));
    json_.attribute("kind", wordFor(function.kind));
    json_.attribute("linkage", wordFor(function.linkage));
    names("symbols", function.symbols);
    if (function.ofClass.isValid())
      json_.attribute("class", text(function.ofClass));
    auto flags = flagsOf(function);
    if (!flags.empty())
      json_.attributeArray("flags", [&] {
        for (llvm::StringRef flag : flags)
          json_.value(flag);
      });
    json_.attribute("fingerprint", toHex(function.fingerprint));
    range(function.where, NameId{});
    if (!function.unmodelled.empty())
      json_.attribute("unmodelled", utf8(function.unmodelled));
    json_.attributeArray("nodes", [&] {
      for (const Node &next : function.flow.nodes)
        json_.object([&] { node(next, file); });
    });
    json_.attributeArray("edges", [&] {
      for (const FlowEdge &edge : function.flow.edges)
        json_.object([&] {
          json_.attribute("from", edge.from.value);
          json_.attribute("to", edge.to.value);
          json_.attribute("kind", wordFor(edge.kind));
          json_.attribute("label", text(edge.label));
        });
    });
  });
}

void JsonValues::type(ClassId id) {
  const Class &type = project_[id];
  json_.object([&] {
    json_.attribute("id", id.value);
    json_.attribute("name", text(type.name));
    json_.attribute("linkage", wordFor(type.linkage));
    json_.attribute("external", type.isExternal);
    json_.attribute("abstract", type.isAbstract);
    json_.attribute("final", type.isFinal);
    json_.attributeArray("bases", [&] {
      for (const BaseClass &base : type.bases)
        json_.object([&] {
          json_.attribute("name", text(base.name));
          json_.attribute("virtual", base.isVirtual);
        });
    });
    json_.attributeArray("virtual_methods", [&] {
      for (const VirtualMethod &method : type.virtualMethods)
        json_.object([&] {
          json_.attribute("name", text(method.name));
          names("overrides", method.overrides);
          json_.attribute("pure", method.isPure);
          json_.attribute("final", method.isFinal);
        });
    });
    json_.attribute("layout", toHex(type.layout));
    json_.attribute("hierarchy", toHex(type.hierarchy));
    json_.attribute("dispatch", toHex(type.dispatch));
    range(type.where, NameId{});
  });
}

void JsonValues::variable(VariableId id) {
  const Variable &variable = project_[id];
  json_.object([&] {
    json_.attribute("id", id.value);
    json_.attribute("name", text(variable.name));
    json_.attribute("linkage", wordFor(variable.linkage));
    names("symbols", variable.symbols);
    json_.attribute("external", variable.isExternal);
    json_.attribute("dynamic_initialiser", variable.hasDynamicInitialiser);
    json_.attribute("fingerprint", toHex(variable.fingerprint));
    uses(variable.uses);
    range(variable.where, NameId{});
  });
}

void JsonValues::doubts(llvm::ArrayRef<Doubt> doubts) {
  json_.attributeArray("doubts", [&] {
    for (const Doubt &doubt : doubts)
      json_.object([&] {
        json_.attribute("text", utf8(doubt.text));
        range({doubt.where, doubt.where}, NameId{});
      });
  });
}

} // namespace retest
