#include "report/graph_dot.h"

#include "report/dot_style.h"
#include "report/graph_words.h"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>

namespace retest {

namespace {

class Picture {
public:
  Picture(llvm::raw_ostream &out, GraphView &view, const DotOptions &options)
      : out_(out), view_(view), options_(options) {}

  void begin(llvm::StringRef title) { beginDot(out_, title); }
  void end() { out_ << "}\n"; }
  /// Nodes and flow edges; the prefix keeps the nodes of two functions apart.
  void inside(FunctionId id, llvm::StringRef prefix, llvm::StringRef indent);
  void neighbours(FunctionId id);
  void clusters(llvm::ArrayRef<FunctionId> functions);
  void callGraph(llvm::ArrayRef<FunctionId> functions);

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << '\n';
  }
  std::string cut(const std::string &text) const { return cutText(text, options_.maxColumns); }
  std::string callLabel(const CallEdge &edge) const;
  std::uint32_t shownNodes(const Function &function) const {
    return std::min<std::size_t>(function.flow.nodes.size(), options_.maxNodes);
  }

  llvm::raw_ostream &out_;
  GraphView &view_;
  const DotOptions &options_;
};

void Picture::inside(FunctionId id, llvm::StringRef prefix, llvm::StringRef indent) {
  const Function &function = view_.project[id];
  std::string in = indent.str(), start = prefix.str();
  std::uint32_t shown = shownNodes(function);
  for (std::uint32_t node = 0; node < shown; ++node) {
    DotLook look = dotLookOf(function.flow.nodes[node].kind);
    line("{}{}{} [label={}, shape={}, fillcolor=\"{}\"]", in, start, node,
         dotQuoted(
             dotLabelOf(function, NodeId{node}, view_.lines, view_.names, options_.maxColumns)),
         look.shape, look.fill);
  }
  bool leadsOut = false;
  for (const FlowEdge &edge : function.flow.edges) {
    if (edge.from.value >= shown)
      continue;
    bool isCut = edge.to.value >= shown;
    leadsOut |= isCut;
    line("{}{}{} -> {}{} [{}]", in, start, edge.from.value, start,
         isCut ? "rest" : fmt::format("{}", edge.to.value), dotAttributesOf(edge, view_.names));
  }
  if (leadsOut || shown < function.flow.nodes.size())
    line("{}{}rest [label=\"{} more nodes\", shape=plaintext, fillcolor=\"#eeeeee\"]", in, start,
         function.flow.nodes.size() - shown);
}

std::string Picture::callLabel(const CallEdge &edge) const {
  return edge.kind == EdgeKind::VirtualCall && edge.receiver.isValid() ? view_.nameOf(edge.receiver)
                                                                       : "";
}

/// Each callee once, with an edge from every node that calls it; callers as ovals above the entry.
void Picture::neighbours(FunctionId id) {
  const char *look = "shape=box, style=\"filled,rounded\", fillcolor=\"#eeeeee\"";
  llvm::MapVector<llvm::StringRef, std::uint32_t> callees;
  llvm::MapVector<std::uint32_t, unsigned> targetsOfNode;
  for (const CallEdge &edge : view_.calls.callEdges(id)) {
    if (edge.from.value >= shownNodes(view_.project[id]) || !edge.callee.isValid())
      continue;
    unsigned count = ++targetsOfNode[edge.from.value];
    if (count > options_.maxNeighbours)
      continue;
    auto [entry, isNew] = callees.try_emplace(view_.names.text(edge.callee),
                                              static_cast<std::uint32_t>(callees.size()));
    if (isNew)
      line("  callee{} [label={}, {}{}]", entry->second, dotQuoted(cut(view_.text(edge.callee))),
           look, edge.target.isValid() ? "" : ", color=\"#bbbbbb\", fontcolor=\"#777777\"");
    line("  n{} -> callee{} [style=dotted, label={}]", edge.from.value, entry->second,
         dotQuoted(callLabel(edge)));
  }
  for (auto [node, count] : targetsOfNode)
    if (count > options_.maxNeighbours)
      line("  more{0} [label=\"{1} more targets\", shape=plaintext]\n  n{0} -> more{0} "
           "[style=dotted]",
           node, count - options_.maxNeighbours);

  std::vector<FunctionId> callers;
  for (const Caller &caller : view_.calls.callersOf(id))
    if (callers.empty() || callers.back() != caller.function)
      callers.push_back(caller.function);
  for (std::size_t index = 0; index < callers.size(); ++index) {
    bool isRest = index == options_.maxNeighbours;
    std::string label = isRest ? fmt::format("{} more callers", callers.size() - index)
                               : cut(view_.nameOf(callers[index]));
    line("  caller{} [label={}, {}]\n  caller{} -> n0 [style=dotted]", index, dotQuoted(label),
         look, index);
    if (isRest)
      break;
  }
}

void Picture::clusters(llvm::ArrayRef<FunctionId> functions) {
  for (FunctionId id : functions) {
    line("  subgraph cluster{} {{", id.value);
    line("    label={}; style=\"rounded,filled\"; color=\"#aaaaaa\"; fillcolor=\"#fafafa\"",
         dotQuoted(view_.nameOf(id)));
    inside(id, fmt::format("f{}n", id.value), "    ");
    line("  }}");
  }
  for (FunctionId id : functions)
    for (const CallEdge &edge : view_.calls.callEdges(id)) {
      if (!edge.target.isValid() || edge.from.value >= shownNodes(view_.project[id]) ||
          !std::binary_search(functions.begin(), functions.end(), edge.target))
        continue;
      line("  f{}n{} -> f{}n0 [style=dotted, color=\"#1565c0\", constraint=false, label={}]",
           id.value, edge.from.value, edge.target.value, dotQuoted(callLabel(edge)));
    }
}

void Picture::callGraph(llvm::ArrayRef<FunctionId> functions) {
  auto shown = functions.take_front(options_.maxFunctions);
  for (FunctionId id : shown)
    line("  f{} [label={}, style=\"filled,rounded\"]", id.value, dotQuoted(view_.nameOf(id)));
  for (FunctionId id : shown) {
    llvm::MapVector<std::uint32_t, bool> targets; // target -> reached by virtual calls alone
    for (const CallEdge &edge : view_.calls.callEdges(id))
      if (edge.target.isValid() && std::binary_search(shown.begin(), shown.end(), edge.target)) {
        auto entry = targets.try_emplace(edge.target.value, true).first;
        entry->second &= edge.kind == EdgeKind::VirtualCall;
      }
    for (auto [target, isVirtual] : targets)
      line("  f{} -> f{}{}", id.value, target, isVirtual ? " [style=dashed]" : "");
  }
  if (shown.size() < functions.size())
    line("  rest [label=\"{} more functions\", shape=plaintext]", functions.size() - shown.size());
}

} // namespace

void writeFunctionDot(llvm::raw_ostream &out, GraphView &view, FunctionId function,
                      const DotOptions &options) {
  Picture picture(out, view, options);
  picture.begin(view.nameOf(function));
  picture.inside(function, "n", "  ");
  picture.neighbours(function);
  picture.end();
}

void writeProgramDot(llvm::raw_ostream &out, GraphView &view, llvm::ArrayRef<FunctionId> functions,
                     const DotOptions &options) {
  std::size_t nodes = 0;
  for (FunctionId id : functions)
    nodes += view.project[id].flow.nodes.size();
  Picture picture(out, view, options);
  picture.begin(view.text(view.program.name));
  if (nodes <= options.maxProgramNodes)
    picture.clusters(functions);
  else
    picture.callGraph(functions);
  picture.end();
}

} // namespace retest
