#include "report/dot_style.h"

#include "report/graph_words.h"

#include <fmt/format.h>

namespace retest {

std::string dotQuoted(llvm::StringRef text) {
  std::string quoted = "\"";
  bool hasLines = text.contains('\n');
  for (char c : utf8(text)) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (c == '\n')
      quoted += "\\l";
    else
      quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  if (hasLines && !text.ends_with("\n"))
    quoted += "\\l";
  return quoted + "\"";
}

void beginDot(llvm::raw_ostream &out, llvm::StringRef title) {
  std::string quoted = dotQuoted(title);
  out << fmt::format("digraph {} {{\n", quoted)
      << fmt::format("  graph [fontname=\"Helvetica\", fontsize=12, labelloc=t, compound=true, "
                     "nodesep=0.35, ranksep=0.4, label={}]\n",
                     quoted)
      << "  node [fontname=\"Menlo,DejaVu Sans Mono,monospace\", fontsize=10, shape=box, "
         "style=filled, fillcolor=white, color=\"#666666\", margin=\"0.12,0.06\"]\n"
         "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#444444\", arrowsize=0.7]\n";
}

std::string cutText(const std::string &text, std::size_t columns) {
  if (text.size() <= columns)
    return text;
  return utf8(llvm::StringRef(text).take_front(columns - 3)) + "...";
}

DotLook dotLookOf(NodeKind kind) {
  switch (kind) {
  case NodeKind::Entry:
  case NodeKind::Exit:
    return {"#d5e8d4", "oval"};
  case NodeKind::ExceptionalExit:
  case NodeKind::Terminate:
    return {"#f8cecc", "oval"};
  case NodeKind::Block:
    return {"#ffffff", "box"};
  case NodeKind::Call:
    return {"#dae8fc", "box"};
  case NodeKind::Cleanup:
    return {"#ffe6cc", "box"};
  case NodeKind::Try:
    return {"#fff2cc", "hexagon"};
  case NodeKind::Catch:
    return {"#fff2cc", "box"};
  }
  return {"#ffffff", "box"};
}

std::string dotLabelOf(const Function &function, NodeId id, const SourceLines &lines,
                       const Names &names, std::size_t columns) {
  const Node &node = function.flow.nodes[id.value];
  std::string label = fmt::format("{} {}", id.value, wordFor(node.kind).str());
  for (const NodeLine &source : linesOf(node, lines, names)) {
    std::string place = fmt::format("{}", source.where.line);
    if (source.where.file != function.where.begin.file)
      place = utf8(names.text(source.where.file)) + ":" + place;
    label += fmt::format("\n{}: {}", place, cutText(source.text, columns));
  }
  return label;
}

std::string dotAttributesOf(const FlowEdge &edge, const Names &names) {
  std::string label = utf8(names.text(edge.label));
  std::string colour = label == "T" ? "#2e7d32" : label == "F" ? "#c62828" : "#444444";
  std::string style = "solid";
  if (edge.kind == EdgeKind::Path)
    style = "dashed";
  if (edge.kind == EdgeKind::Exception) {
    style = "dashed";
    colour = "#e65100";
    label.clear(); // the colour says it
  }
  return fmt::format("label={}, style={}, color=\"{}\", fontcolor=\"{}\"", dotQuoted(label), style,
                     colour, colour);
}

} // namespace retest
