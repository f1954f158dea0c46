#include "report/graph_stats.h"

#include "report/graph_words.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>

namespace retest {

static void count(const Function &function, GraphStats &stats) {
  stats.implicitFunctions += function.isImplicit;
  stats.externalFunctions += function.isExternal;
  stats.systemHeaderFunctions += function.isSystemHeader;
  stats.unmodelledFunctions += !function.unmodelled.empty();
  stats.nodes += function.flow.nodes.size();
  stats.edges += function.flow.edges.size();
  for (const Node &node : function.flow.nodes) {
    ++stats.nodesByKind[static_cast<std::size_t>(node.kind)];
    stats.elements += node.elements.size();
    if (node.kind != NodeKind::Call && node.kind != NodeKind::Cleanup)
      continue;
    ++stats.calls;
    stats.virtualCalls += node.call.kind == CallKind::Virtual;
    stats.indirectCalls += node.call.kind == CallKind::Indirect;
  }
  for (const FlowEdge &edge : function.flow.edges)
    ++stats.edgesByKind[static_cast<std::size_t>(edge.kind)];
}

GraphStats statsOf(const Project &project) {
  GraphStats stats;
  stats.units = project.units.size();
  stats.programs = project.programs.size();
  stats.functions = project.functions.size();
  stats.classes = project.classes.size();
  stats.variables = project.variables.size();
  llvm::DenseSet<std::uint32_t> names;
  for (const Function &function : project.functions) {
    count(function, stats);
    if (function.linkage != Linkage::Internal)
      names.insert(function.name.value);
  }
  stats.names = names.size();
  for (const Class &type : project.classes)
    stats.externalClasses += type.isExternal;
  for (const ProjectUnit &unit : project.units) {
    stats.functionRows += unit.functions.size();
    stats.names += unit.internalFunctions.definitions.size();
    stats.initialisers += unit.initialiser.isValid();
    stats.doubts += unit.doubts.size();
  }
  for (const ProgramGraph &program : project.programs)
    stats.doubts += program.doubts.size();
  return stats;
}

namespace {

struct Line {
  const char *word;
  std::size_t count;
  int depth; ///< a part of the line above
};

/// What both forms show, in order.
std::vector<Line> linesOf(const GraphStats &stats) {
  std::vector<Line> lines = {{"units", stats.units, 0},
                             {"initialisers", stats.initialisers, 1},
                             {"programs", stats.programs, 0},
                             {"functions", stats.functions, 0},
                             {"function rows", stats.functionRows, 1},
                             {"function names", stats.names, 1},
                             {"implicit functions", stats.implicitFunctions, 1},
                             {"external functions", stats.externalFunctions, 1},
                             {"system header functions", stats.systemHeaderFunctions, 1},
                             {"unmodelled functions", stats.unmodelledFunctions, 1},
                             {"nodes", stats.nodes, 0}};
  for (std::size_t kind = 0; kind < stats.nodesByKind.size(); ++kind)
    lines.push_back({wordFor(NodeKind(kind)).data(), stats.nodesByKind[kind], 1});
  lines.push_back({"elements", stats.elements, 0});
  lines.push_back({"edges", stats.edges, 0});
  const char *edgeWords[] = {"flow edges", "path edges", "exception edges"};
  for (std::size_t kind = 0; kind < stats.edgesByKind.size(); ++kind)
    lines.push_back({edgeWords[kind], stats.edgesByKind[kind], 1});
  lines.insert(lines.end(), {{"calls", stats.calls, 0},
                             {"virtual calls", stats.virtualCalls, 1},
                             {"indirect calls", stats.indirectCalls, 1},
                             {"classes", stats.classes, 0},
                             {"external classes", stats.externalClasses, 1},
                             {"variables", stats.variables, 0},
                             {"doubts", stats.doubts, 0}});
  return lines;
}

} // namespace

void writeStatsText(llvm::raw_ostream &out, const GraphStats &stats) {
  for (const Line &line : linesOf(stats))
    out << fmt::format("{:{}}{:<{}}{:>10}\n", "", line.depth * 2, line.word, 28 - line.depth * 2,
                       line.count);
}

/// "call nodes" is a key of its own: "calls" would be taken twice.
static std::string keyOf(const Line &line, bool isNodeKind) {
  std::string key = line.word + std::string(isNodeKind ? " nodes" : "");
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

void writeStatsJson(llvm::json::OStream &json, const GraphStats &stats) {
  json.object([&] {
    bool isNodeKind = false;
    for (const Line &line : linesOf(stats)) {
      if (line.depth == 0)
        isNodeKind = false;
      json.attribute(keyOf(line, isNodeKind), static_cast<std::int64_t>(line.count));
      isNodeKind |= llvm::StringRef(line.word) == "nodes";
    }
  });
}

} // namespace retest
