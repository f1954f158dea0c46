#include "report/delta_json.h"

#include "report/delta_counts.h"
#include "report/graph_words.h"

#include <llvm/Support/JSON.h>

#include <map>

namespace retest {

llvm::StringRef wordFor(Granularity granularity) {
  switch (granularity) {
  case Granularity::Edges:
    return "edges";
  case Granularity::Functions:
    return "functions";
  case Granularity::Files:
    return "files";
  }
  llvm_unreachable("a granularity without a word");
}

namespace {

class DeltaJson {
public:
  DeltaJson(llvm::json::OStream &json, const DeltaView &view, const Delta &delta)
      : json_(json), view_(view), delta_(delta) {}

  void version(llvm::StringRef key, const VersionLabel &label);
  void edges();
  void classEntries();
  void programs();
  void functions();
  void names(llvm::StringRef key, llvm::ArrayRef<NameId> added, llvm::ArrayRef<NameId> removed,
             const std::vector<NameId> *changed);
  void doubts();
  void counts();

private:
  std::string text(NameId name) const { return utf8(view_.names.text(name)); }
  void place(const SourcePosition &where);
  void reason(const Reason &reason);
  void node(llvm::StringRef key, FunctionId function, NodeId node, const std::string &text);
  void edge(const DangerousEdge &edge);
  void ends(const DangerousEdge &edge);
  void programNames(llvm::ArrayRef<std::uint32_t> indices);
  const std::vector<std::uint32_t> &programsWith(FunctionId function);
  void definition(llvm::StringRef key, const Project &project, FunctionId id);
  void list(llvm::StringRef key, llvm::ArrayRef<NameId> names);

  llvm::json::OStream &json_;
  const DeltaView &view_;
  const Delta &delta_;
  std::map<FunctionId, std::vector<std::uint32_t>> programsWith_;
};

void DeltaJson::version(llvm::StringRef key, const VersionLabel &label) {
  json_.attributeObject(key, [&] {
    json_.attribute("name", utf8(label.name));
    if (!label.commit.empty())
      json_.attribute("commit", label.commit);
    if (!label.recordedAt.empty())
      json_.attribute("recorded_at", label.recordedAt);
  });
}

void DeltaJson::place(const SourcePosition &where) {
  if (!where.isKnown())
    return;
  json_.attribute("path", text(where.file));
  json_.attribute("line", where.line);
  json_.attribute("column", where.column);
}

void DeltaJson::reason(const Reason &reason) {
  json_.attributeObject("reason", [&] {
    json_.attribute("kind", wordFor(reason.kind));
    json_.attribute("text", reasonText(view_, reason));
    if (reason.entity.isValid())
      json_.attribute("entity", text(reason.entity));
    place(reason.where);
    json_.attribute("in_baseline", reason.isInBaseline);
    if (reason.baselineNode.isValid())
      json_.attribute("baseline_node", reason.baselineNode.value);
    if (reason.currentNode.isValid())
      json_.attribute("current_node", reason.currentNode.value);
  });
}

void DeltaJson::node(llvm::StringRef key, FunctionId function, NodeId id,
                     const std::string &nodeText) {
  const Node &node = view_.baseline[function].flow.nodes[id.value];
  json_.attributeObject(key, [&] {
    json_.attribute("node", id.value);
    json_.attribute("kind", wordFor(node.kind));
    json_.attribute("text", utf8(nodeText));
    bool isOrigin = key == "from"; // it is left behind its last element
    const Element *shown = nullptr;
    for (const Element &element : node.elements)
      if (element.where.begin.isKnown() && (!shown || isOrigin))
        shown = &element;
    if (shown)
      place(shown->where.begin);
  });
}

void DeltaJson::ends(const DangerousEdge &edge) {
  const FlowGraph &flow = view_.baseline[edge.function].flow;
  EdgeWords words = edgeWords(view_, edge);
  switch (edge.place) {
  case EdgePlace::Entry:
    node("to", edge.function, NodeId{0}, "entry");
    return;
  case EdgePlace::Flow: {
    const FlowEdge &inside = flow.edges[edge.edge];
    json_.attribute("edge", edge.edge);
    node("from", edge.function, inside.from, words.from);
    node("to", edge.function, inside.to, words.to);
    json_.attribute("label", text(inside.label));
    return;
  }
  case EdgePlace::Call:
  case EdgePlace::VirtualCall:
    node("from", edge.function, edge.node, words.from);
    json_.attributeObject("to", [&] { json_.attribute("text", utf8(words.to)); });
    if (edge.place == EdgePlace::VirtualCall)
      json_.attribute("label", text(edge.receiver));
    return;
  }
}

const std::vector<std::uint32_t> &DeltaJson::programsWith(FunctionId function) {
  auto [known, isNew] = programsWith_.try_emplace(function);
  if (isNew)
    for (std::uint32_t index = 0; index < view_.baseline.programs.size(); ++index)
      if (!unitsWith(view_.baseline, view_.baseline.programs[index], function).empty())
        known->second.push_back(index);
  return known->second;
}

void DeltaJson::programNames(llvm::ArrayRef<std::uint32_t> indices) {
  json_.attributeArray("programs", [&] {
    for (std::uint32_t index : indices)
      json_.value(text(view_.baseline.programs[index].name));
  });
}

void DeltaJson::edge(const DangerousEdge &edge) {
  const Function &function = view_.baseline[edge.function];
  json_.object([&] {
    json_.attribute("function", text(function.name));
    list("symbols", function.symbols);
    json_.attribute("unit",
                    text(view_.baseline[view_.baseline.functionUnits[edge.function.value]].name));
    json_.attribute("place", wordFor(edge.place));
    ends(edge);
    reason(edge.reason);
    programNames(edge.programs.empty() ? programsWith(edge.function) : edge.programs);
  });
}

void DeltaJson::edges() {
  json_.attributeArray("edges", [&] {
    for (const DangerousEdge &next : delta_.edges)
      edge(next);
  });
}

void DeltaJson::classEntries() {
  json_.attributeArray("class_entries", [&] {
    for (const DangerousClassEntry &entry : delta_.classEntries)
      json_.object([&] {
        json_.attribute("class", text(entry.type));
        json_.attribute("method", entry.method.isValid() ? text(entry.method) : "*");
        reason(entry.reason);
        programNames(entry.programs);
      });
  });
}

void DeltaJson::programs() {
  json_.attributeArray("programs", [&] {
    for (const DangerousProgram &program : delta_.programs)
      json_.object([&] {
        json_.attribute("name", text(view_.baseline.programs[program.program].name));
        reason(program.reason);
      });
  });
}

void DeltaJson::definition(llvm::StringRef key, const Project &project, FunctionId id) {
  if (!id.isValid())
    return;
  const Function &function = project[id];
  json_.attributeObject(key, [&] {
    list("symbols", function.symbols);
    json_.attribute("unit", text(project[project.functionUnits[id.value]].name));
    place(function.where.begin);
    if (function.where.end.isKnown() && function.where.end.file == function.where.begin.file)
      json_.attribute("end_line", function.where.end.line);
  });
}

void DeltaJson::functions() {
  json_.attributeArray("functions", [&] {
    for (const FunctionChange &change : delta_.functions)
      json_.object([&] {
        const Function &shown = change.baseline.isValid() ? view_.baseline[change.baseline]
                                                          : view_.current[change.current];
        json_.attribute("kind", wordFor(change.kind));
        json_.attribute("name", text(shown.name));
        definition("baseline", view_.baseline, change.baseline);
        definition("current", view_.current, change.current);
      });
  });
}

/// Sorted by text: ids depend on the order in which units were read.
void DeltaJson::list(llvm::StringRef key, llvm::ArrayRef<NameId> names) {
  std::vector<std::string> sorted;
  for (NameId name : names)
    sorted.push_back(text(name));
  llvm::sort(sorted);
  json_.attributeArray(key, [&] {
    for (const std::string &name : sorted)
      json_.value(name);
  });
}

void DeltaJson::names(llvm::StringRef key, llvm::ArrayRef<NameId> added,
                      llvm::ArrayRef<NameId> removed, const std::vector<NameId> *changed) {
  json_.attributeObject(key, [&] {
    list("added", added);
    list("removed", removed);
    if (changed)
      list("changed", *changed);
  });
}

void DeltaJson::doubts() {
  json_.attributeArray("doubts", [&] {
    for (const Doubt &doubt : delta_.doubts)
      json_.object([&] {
        json_.attribute("text", utf8(doubt.text));
        place(doubt.where);
      });
  });
}

void DeltaJson::counts() {
  DeltaCounts counts = countsOf(delta_, view_.baseline);
  json_.attributeObject("counts", [&] {
    const std::pair<const char *, std::size_t> rows[] = {
        {"functions_changed", counts.changed},
        {"functions_added", counts.added},
        {"functions_removed", counts.removed},
        {"functions_moved", counts.moved},
        {"dangerous_edges", counts.edges},
        {"dangerous_functions", counts.dangerousFunctions},
        {"dangerous_class_entries", counts.classEntries},
        {"dangerous_programs", counts.programs},
        {"doubts", counts.doubts},
        {"baseline_functions", counts.baselineFunctions},
        {"baseline_edges", counts.baselineEdges}};
    for (auto [key, count] : rows)
      json_.attribute(key, static_cast<std::int64_t>(count));
  });
}

} // namespace

void writeDeltaJson(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                    Granularity granularity, const VersionLabel &baseline,
                    const VersionLabel &current) {
  llvm::json::OStream json(out, 1);
  DeltaJson document(json, view, delta);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("granularity", wordFor(granularity));
    document.version("baseline", baseline);
    document.version("current", current);
    document.edges();
    document.classEntries();
    document.programs();
    document.functions();
    document.names("units", delta.addedUnits, delta.removedUnits, &delta.changedUnits);
    document.names("binaries", delta.addedPrograms, delta.removedPrograms, nullptr);
    document.doubts();
    document.counts();
  });
  json.flush();
  out << '\n';
}

} // namespace retest
