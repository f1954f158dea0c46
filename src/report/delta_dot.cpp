#include "report/delta_dot.h"

#include "report/dot_style.h"
#include "report/graph_words.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <set>

namespace retest {
namespace {

constexpr const char *kDanger = "#d50000";

/// A function in one or both versions.
struct Shown {
  FunctionId baseline, current; ///< one of them may not be valid
  llvm::ArrayRef<NodePair> nodes;
  std::vector<const DangerousEdge *> edges;
};

std::vector<Shown> shownFunctions(const Delta &delta) {
  std::map<FunctionId, Shown> found;
  for (const FunctionChange &change : delta.functions)
    if (change.kind == FunctionChangeKind::Changed)
      found.try_emplace(change.baseline, Shown{change.baseline, change.current, change.nodes, {}});
  for (const DangerousEdge &edge : delta.edges)
    found.try_emplace(edge.function, Shown{edge.function, {}, {}, {}})
        .first->second.edges.push_back(&edge);
  std::vector<Shown> functions;
  for (bool isDangerous : {true, false}) // the interesting ones first
    for (const auto &[id, function] : found)
      if (function.edges.empty() != isDangerous)
        functions.push_back(function);
  return functions;
}

/// One version of one function.
struct Side {
  const Project &project;
  const SourceLines &lines;
  FunctionId id;
  std::string prefix; ///< of node names
  std::map<NodeId, std::string> counterparts;
  bool comparesNodes = false; ///< else every node counts as matched
  const char *alone;          ///< colour of nodes without a counterpart
};

class Picture {
public:
  Picture(llvm::raw_ostream &out, const DeltaView &view, const DeltaDotOptions &options)
      : out_(out), view_(view), options_(options) {}

  void function(const Shown &shown, std::size_t number);
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << '\n';
  }

private:
  void version(const Side &side, const char *title,
               const std::vector<const DangerousEdge *> &edges);
  void flowEdge(const Side &side, std::uint32_t index, std::uint32_t shown,
                const DangerousEdge *dangerous);
  void callEdges(const std::vector<const DangerousEdge *> &edges, const std::string &prefix,
                 std::uint32_t shown);
  std::string danger(const DangerousEdge &edge, const std::string &label) const;

  llvm::raw_ostream &out_;
  const DeltaView &view_;
  const DeltaDotOptions &options_;
};

std::string Picture::danger(const DangerousEdge &edge, const std::string &label) const {
  std::string reason = reasonText(view_, edge.reason);
  std::string text = cutText(label.empty() ? reason : label + ": " + reason, options_.maxColumns);
  return fmt::format("label={}, tooltip={}, color=\"{}\", fontcolor=\"{}\", penwidth=2.4",
                     dotQuoted(text), dotQuoted(reason), kDanger, kDanger);
}

void Picture::flowEdge(const Side &side, std::uint32_t index, std::uint32_t shown,
                       const DangerousEdge *dangerous) {
  const FlowEdge &edge = side.project[side.id].flow.edges[index];
  if (edge.from.value >= shown)
    return;
  std::string to = edge.to.value >= shown ? "rest" : fmt::format("{}", edge.to.value);
  line("      {0}{1} -> {0}{2} [{3}]", side.prefix, edge.from.value, to,
       dangerous ? danger(*dangerous, utf8(view_.names.text(edge.label)))
                 : dotAttributesOf(edge, view_.names));
}

/// Calls that now end up elsewhere, and calls of the function itself.
void Picture::callEdges(const std::vector<const DangerousEdge *> &edges, const std::string &prefix,
                        std::uint32_t shown) {
  std::size_t number = 0;
  for (const DangerousEdge *edge : edges) {
    if (edge->place == EdgePlace::Flow)
      continue;
    std::string other = fmt::format("{}call{}", prefix, number++);
    if (edge->place == EdgePlace::Entry) {
      line("      {} [label=\"every call\", shape=plaintext]", other);
      line("      {} -> {}0 [{}]", other, prefix, danger(*edge, ""));
    } else if (edge->node.value < shown) {
      EdgeWords words = edgeWords(view_, *edge);
      line("      {} [label={}, style=\"filled,rounded\", fillcolor=\"#eeeeee\"]", other,
           dotQuoted(cutText(words.to, options_.maxColumns)));
      line("      {}{} -> {} [{}]", prefix, edge->node.value, other,
           danger(*edge, nameText(view_, edge->receiver)));
    }
  }
}

void Picture::version(const Side &side, const char *title,
                      const std::vector<const DangerousEdge *> &edges) {
  const Function &function = side.project[side.id];
  std::uint32_t shown = std::min<std::size_t>(function.flow.nodes.size(), options_.maxNodes);
  std::map<std::uint32_t, const DangerousEdge *> dangerous;
  for (const DangerousEdge *edge : edges)
    if (edge->place == EdgePlace::Flow)
      dangerous.emplace(edge->edge, edge);

  line("    subgraph cluster_{} {{", side.prefix);
  line("      label={}; style=dashed; color=\"#aaaaaa\"",
       dotQuoted(fmt::format("{}: {}", title, placeText(view_, function.where.begin))));
  for (std::uint32_t node = 0; node < shown; ++node) {
    DotLook look = dotLookOf(function.flow.nodes[node].kind);
    auto other = side.counterparts.find(NodeId{node});
    bool isAlone = side.comparesNodes && other == side.counterparts.end();
    line(
        "      {}{} [label={}, shape={}, fillcolor=\"{}\", tooltip={}]", side.prefix, node,
        dotQuoted(dotLabelOf(function, NodeId{node}, side.lines, view_.names, options_.maxColumns)),
        look.shape, isAlone ? side.alone : look.fill,
        dotQuoted(isAlone              ? "no counterpart"
                  : side.comparesNodes ? "stands for " + other->second
                                       : std::string("unchanged")));
  }
  for (std::uint32_t edge = 0; edge < function.flow.edges.size(); ++edge) {
    auto found = dangerous.find(edge);
    flowEdge(side, edge, shown, found == dangerous.end() ? nullptr : found->second);
  }
  if (shown < function.flow.nodes.size())
    line("      {}rest [label=\"{} more nodes\", shape=plaintext]", side.prefix,
         function.flow.nodes.size() - shown);
  callEdges(edges, side.prefix, shown);
  line("    }}");
}

void Picture::function(const Shown &shown, std::size_t number) {
  line("  subgraph cluster_{} {{", number);
  line("    label={}; style=\"rounded,filled\"; color=\"#aaaaaa\"; fillcolor=\"#fafafa\"",
       dotQuoted(nameText(view_, view_.baseline[shown.baseline].name)));
  Side before{view_.baseline,
              view_.baselineLines,
              shown.baseline,
              fmt::format("b{}_", number),
              {},
              shown.current.isValid(),
              "#ffcdd2"};
  Side after{view_.current, view_.currentLines, shown.current, fmt::format("c{}_", number), {},
             true,          "#c8e6c9"};
  for (NodePair pair : shown.nodes) {
    auto add = [](Side &side, NodeId node, NodeId other) {
      std::string &text = side.counterparts[node];
      text += fmt::format("{}{}", text.empty() ? "" : ", ", other.value);
    };
    add(before, pair.baseline, pair.current);
    add(after, pair.current, pair.baseline);
  }
  version(before, "baseline", shown.edges);
  if (shown.current.isValid())
    version(after, "current", {});
  line("  }}");
}

} // namespace

void writeDeltaDot(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                   llvm::StringRef title, const DeltaDotOptions &options) {
  std::vector<Shown> functions = shownFunctions(delta);
  beginDot(out, title);
  Picture picture(out, view, options);
  if (functions.empty())
    picture.line("  none [label=\"no function changed\", shape=plaintext]");
  for (std::size_t i = 0; i < std::min<std::size_t>(functions.size(), options.maxFunctions); ++i)
    picture.function(functions[i], i);
  if (functions.size() > options.maxFunctions)
    picture.line("  more [label=\"{} more functions; name one to see it\", shape=plaintext]",
                 functions.size() - options.maxFunctions);
  out << "}\n";
}

} // namespace retest
