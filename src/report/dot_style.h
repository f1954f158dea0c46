#pragma once

#include "report/graph_view.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

/// What all pictures share: how a graph begins, and how nodes and edges look.

/// A string literal of the dot language, quotes included. Lines are set flush left.
std::string dotQuoted(llvm::StringRef text);

/// Graphviz makes a box as wide as its text.
std::string cutText(const std::string &text, std::size_t columns);

/// "digraph ... {" and the fonts.
void beginDot(llvm::raw_ostream &out, llvm::StringRef title);

struct DotLook {
  const char *fill, *shape;
};
DotLook dotLookOf(NodeKind kind);

/// Number, kind and source lines of a node.
std::string dotLabelOf(const Function &function, NodeId node, const SourceLines &lines,
                       const Names &names, std::size_t columns);

/// T green, F red, path edges dashed, exceptions dashed orange.
std::string dotAttributesOf(const FlowEdge &edge, const Names &names);

} // namespace retest
