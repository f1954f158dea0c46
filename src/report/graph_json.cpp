#include "report/graph_json.h"

#include "graph/program_calls.h"
#include "report/json_values.h"

namespace retest {
namespace {

class GraphJson {
public:
  GraphJson(llvm::json::OStream &json, const Project &project, const Names &names,
            const GraphJsonOptions &options)
      : json_(json), project_(project), names_(names), options_(options),
        values_(json, project, names) {}

  void write();

private:
  bool isWanted(FunctionId id) const {
    return !options_.functions ||
           std::binary_search(options_.functions->begin(), options_.functions->end(), id);
  }
  template <class EntityId> void ids(llvm::StringRef key, llvm::ArrayRef<EntityId> values) {
    std::vector<std::uint32_t> numbers;
    for (EntityId id : values)
      numbers.push_back(id.value);
    writeNumbers(json_, key, numbers);
  }
  template <class EntityId> void optionalId(llvm::StringRef key, EntityId id) {
    if (id.isValid())
      json_.attribute(key, id.value);
  }
  void unit(UnitId id);
  void program(const ProgramGraph &program);
  void variants(const ProgramGraph &program);
  void calls(const ProgramGraph &program, ProgramCalls &calls);
  void externalCode(const ProgramGraph &program, ProgramCalls &calls);

  llvm::json::OStream &json_;
  const Project &project_;
  const Names &names_;
  const GraphJsonOptions &options_;
  JsonValues values_;
};

void GraphJson::unit(UnitId id) {
  const ProjectUnit &unit = project_[id];
  std::vector<FunctionId> functions;
  llvm::copy_if(unit.functions, std::back_inserter(functions),
                [&](FunctionId function) { return isWanted(function); });
  if (options_.functions && functions.empty())
    return;
  json_.object([&] {
    json_.attribute("id", id.value);
    json_.attribute("name", values_.text(unit.name));
    ids<FunctionId>("functions", functions);
    if (!options_.functions) {
      ids<ClassId>("classes", unit.classes);
      ids<VariableId>("variables", unit.variables);
    }
    optionalId("initialiser", unit.initialiser);
    values_.doubts(unit.doubts);
  });
}

/// Only names with a choice; for all others the definition is the only one.
void GraphJson::variants(const ProgramGraph &program) {
  std::vector<NameId> several;
  for (const auto &definition : program.functions.definitions)
    if (definition.end - definition.begin > 1 && isWanted(definition.chosen) &&
        program.functions.entitiesOf(definition.name).size() > 1)
      several.push_back(definition.name);
  llvm::sort(several, [&](NameId a, NameId b) { return names_.text(a) < names_.text(b); });
  json_.attributeArray("variants", [&] {
    for (NameId name : several)
      json_.object([&] {
        json_.attribute("name", values_.text(name));
        json_.attribute("chosen", program.functions.find(name)->chosen.value);
        ids<FunctionId>("functions", program.functions.entitiesOf(name));
      });
  });
}

void GraphJson::calls(const ProgramGraph &program, ProgramCalls &calls) {
  std::vector<FunctionId> functions = functionsOf(project_, program);
  json_.attributeArray("calls", [&] {
    for (FunctionId function : functions)
      for (const CallEdge &edge : calls.callEdges(function))
        if (edge.kind == EdgeKind::Call && edge.target.isValid() &&
            (isWanted(function) || isWanted(edge.target)))
          json_.object([&] {
            json_.attribute("from", function.value);
            json_.attribute("node", edge.from.value);
            json_.attribute("to", edge.target.value);
            optionalId("returns_to", edge.returnsTo);
          });
  });

  // Call sites share their tables, here as in memory.
  std::vector<const Dispatch *> tables;
  llvm::DenseMap<const Dispatch *, std::uint32_t> numbers;
  auto numberOf = [&](const Dispatch *table) {
    auto [entry, isNew] = numbers.try_emplace(table, tables.size());
    if (isNew)
      tables.push_back(table);
    return entry->second;
  };
  auto reachesWanted = [&](const Dispatch *table) {
    return llvm::any_of(table->edges, [&](const DispatchEdge &edge) {
      return edge.target.isValid() && isWanted(edge.target);
    });
  };
  json_.attributeArray("virtual_calls", [&] {
    for (FunctionId function : functions) {
      const FlowGraph &flow = project_[function].flow;
      for (std::uint32_t node = 0; node < flow.nodes.size(); ++node) {
        if (flow.nodes[node].call.kind != CallKind::Virtual)
          continue;
        for (const Dispatch *table : calls.dispatchesOf(function, flow.nodes[node].call))
          if (isWanted(function) || reachesWanted(table))
            json_.object([&] {
              json_.attribute("from", function.value);
              json_.attribute("node", node);
              json_.attribute("dispatch", numberOf(table));
            });
      }
    }
  });
  json_.attributeArray("dispatch", [&] {
    for (const Dispatch *table : tables)
      json_.object([&] {
        json_.attribute("receiver", values_.text(table->receiver));
        json_.attribute("method", values_.text(table->method));
        json_.attributeArray("edges", [&] {
          for (const DispatchEdge &edge : table->edges)
            json_.object([&] {
              json_.attribute("class", values_.text(project_[edge.receiver].name));
              json_.attribute("method", values_.text(edge.method));
              optionalId("to", edge.target);
              if (edge.isOnlyDuringConstruction)
                json_.attribute("only_during_construction", true);
            });
        });
      });
  });
}

void GraphJson::externalCode(const ProgramGraph &program, ProgramCalls &calls) {
  ExternalCode external = retest::externalCode(project_, program, calls.virtualCalls(), names_);
  json_.attributeArray("class_entries", [&] {
    for (const ClassEntry &entry : external.entries)
      json_.object([&] {
        json_.attribute("class", values_.text(project_[entry.ofClass].name));
        json_.attributeArray("edges", [&] {
          for (const ClassEntryEdge &edge : entry.edges)
            json_.object([&] {
              json_.attribute("label", values_.text(edge.method));
              json_.attribute("method", values_.text(edge.overrider));
              optionalId("to", edge.target);
            });
          json_.object([&] { json_.attribute("label", "*"); });
        });
      });
  });
  ids<FunctionId>("callbacks", external.callbacks);
  json_.attributeArray("roots", [&] {
    for (const Root &root : rootsOf(project_, program, names_))
      json_.object([&] {
        json_.attribute("kind", wordFor(root.kind));
        optionalId("function", root.function);
      });
  });
}

void GraphJson::program(const ProgramGraph &program) {
  ProgramCalls calls(project_, program, names_);
  json_.object([&] {
    json_.attribute("name", values_.text(program.name));
    json_.attribute("kind", wordFor(program.kind));
    json_.attributeArray("images", [&] {
      for (NameId image : program.images)
        json_.value(values_.text(image));
    });
    json_.attributeArray("units", [&] {
      for (const ProgramUnit &entry : program.units)
        json_.object([&] {
          json_.attribute("unit", entry.unit.value);
          json_.attribute("image", entry.image);
          json_.attribute("presence", wordFor(entry.presence));
        });
    });
    json_.attributeArray("files", [&] {
      for (const LinkFile &file : program.files)
        json_.value(values_.text(file.name));
    });
    variants(program);
    this->calls(program, calls);
    externalCode(program, calls);
    values_.doubts(program.doubts);
  });
}

void GraphJson::write() {
  json_.object([&] {
    json_.attribute("schema_version", 1);
    json_.attributeArray("units", [&] {
      for (std::uint32_t id = 0; id < project_.units.size(); ++id)
        unit(UnitId{id});
    });
    json_.attributeArray("functions", [&] {
      for (std::uint32_t id = 0; id < project_.functions.size(); ++id)
        if (isWanted(FunctionId{id}))
          values_.function(FunctionId{id});
    });
    if (!options_.functions) {
      json_.attributeArray("classes", [&] {
        for (std::uint32_t id = 0; id < project_.classes.size(); ++id)
          values_.type(ClassId{id});
      });
      json_.attributeArray("variables", [&] {
        for (std::uint32_t id = 0; id < project_.variables.size(); ++id)
          values_.variable(VariableId{id});
      });
    }
    json_.attributeArray("programs", [&] {
      for (const ProgramGraph &next : project_.programs)
        program(next);
    });
  });
}

} // namespace

void writeGraphJson(llvm::raw_ostream &out, const Project &project, const Names &names,
                    const GraphJsonOptions &options) {
  llvm::json::OStream json(out, options.isIndented ? 1 : 0);
  GraphJson(json, project, names, options).write();
  json.flush();
  out << '\n';
}

} // namespace retest
