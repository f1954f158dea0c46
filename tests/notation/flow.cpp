#include "tests/notation/flow.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>

#include <cassert>

namespace retest {
namespace {

bool takeWord(llvm::StringRef &text, llvm::StringRef word) {
  llvm::StringRef rest = text;
  if (!rest.consume_front(word) || (!rest.empty() && rest.front() != ' '))
    return false;
  text = rest.ltrim();
  return true;
}

/// "x [0 1]": the locals, taken off the text.
std::vector<std::uint32_t> takeLocals(llvm::StringRef &text) {
  std::vector<std::uint32_t> locals;
  if (!text.ends_with("]"))
    return locals;
  auto [before, list] = text.drop_back().rsplit(" [");
  text = before;
  llvm::SmallVector<llvm::StringRef> numbers;
  list.split(numbers, ' ');
  for (llvm::StringRef number : numbers)
    number.getAsInteger(10, locals.emplace_back());
  return locals;
}

Node nodeOf(llvm::StringRef text, Names &names) {
  Node node;
  node.locals = takeLocals(text);
  if (text == "in" || text == "out" || text == "raise" || text == "terminate") {
    node.kind = text == "in"      ? NodeKind::Entry
                : text == "out"   ? NodeKind::Exit
                : text == "raise" ? NodeKind::ExceptionalExit
                                  : NodeKind::Terminate;
    return node;
  }
  node.elements.push_back({fingerprintOf(text).low, {}});
  const std::pair<const char *, UseKind> uses[] = {{"address", UseKind::Address},
                                                   {"use", UseKind::Variable},
                                                   {"make", UseKind::Constructs},
                                                   {"layout", UseKind::Layout},
                                                   {"hierarchy", UseKind::Hierarchy}};
  for (auto [word, kind] : uses)
    if (takeWord(text, word))
      node.uses.push_back({kind, names.intern(text)});
  if (takeWord(text, "try")) {
    node.kind = NodeKind::Try;
  } else if (takeWord(text, "catch")) {
    node.kind = NodeKind::Catch;
  } else if (takeWord(text, "call")) {
    node.kind = NodeKind::Call;
    node.call.callee = names.intern(text);
  } else if (takeWord(text, "cleanup")) {
    node.kind = NodeKind::Cleanup;
    node.call.callee = names.intern(text);
  } else if (takeWord(text, "virtual")) {
    auto [receiver, method] = text.split(": ");
    node.kind = NodeKind::Call;
    node.call = {CallKind::Virtual, names.intern(method), names.intern(receiver)};
  } else if (takeWord(text, "indirect")) {
    node.kind = NodeKind::Call;
    node.call.kind = CallKind::Indirect;
  }
  return node;
}

struct EdgeText {
  llvm::StringRef from, to, label;
  EdgeKind kind;
};

EdgeText edgeOf(llvm::StringRef text) {
  const std::pair<const char *, EdgeKind> plain[] = {
      {" -> ", EdgeKind::Flow}, {" => ", EdgeKind::Path}, {" ~> ", EdgeKind::Exception}};
  for (auto [arrow, kind] : plain)
    if (text.contains(arrow)) {
      auto [from, to] = text.split(arrow);
      return {from.trim(), to.trim(), kind == EdgeKind::Exception ? "exception" : "", kind};
    }
  auto [from, rest] = text.split(" -");
  auto [label, to] = rest.split("-> ");
  assert(!to.empty() && "an edge looks like `a -> b` or `a -T-> b`");
  return {from.trim(), to.trim(), label, EdgeKind::Flow};
}

} // namespace

std::vector<std::string> nodeTexts(llvm::StringRef text) {
  std::vector<std::string> nodes = {"in", "out"};
  llvm::SmallVector<llvm::StringRef> statements;
  text.split(statements, ';');
  for (llvm::StringRef statement : statements) {
    if (statement.trim().empty())
      continue;
    EdgeText edge = edgeOf(statement);
    for (llvm::StringRef node : {edge.from, edge.to})
      if (!llvm::is_contained(nodes, node.str()))
        nodes.push_back(node.str());
  }
  return nodes;
}

std::string edgeText(const FlowEdge &edge, const std::vector<std::string> &nodes,
                     const Names &names) {
  std::string label = names.text(edge.label).str();
  std::string arrow = edge.kind == EdgeKind::Exception ? "~>"
                      : edge.kind == EdgeKind::Path    ? "=>"
                      : label.empty()                  ? "->"
                                                       : "-" + label + "->";
  return nodes[edge.from.value] + " " + arrow + " " + nodes[edge.to.value];
}

FlowGraph flow(llvm::StringRef text, Names &names) {
  FlowGraph graph;
  llvm::StringMap<NodeId> ids;
  auto idOf = [&](llvm::StringRef node) {
    auto [entry, isNew] =
        ids.try_emplace(node, NodeId{static_cast<std::uint32_t>(graph.nodes.size())});
    if (isNew)
      graph.nodes.push_back(nodeOf(node, names));
    return entry->second;
  };
  for (const std::string &node : nodeTexts(text))
    idOf(node);
  llvm::SmallVector<llvm::StringRef> statements;
  text.split(statements, ';');
  for (llvm::StringRef statement : statements) {
    if (statement.trim().empty())
      continue;
    EdgeText edge = edgeOf(statement);
    NodeId from = idOf(edge.from);
    graph.edges.push_back({from, idOf(edge.to), edge.kind, names.intern(edge.label)});
  }
  std::vector<FlowEdge> written = std::move(graph.edges);
  graph.edges.clear();
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
    for (const FlowEdge &edge : written)
      if (edge.from.value == node)
        graph.edges.push_back(edge);
  return graph;
}

} // namespace retest
