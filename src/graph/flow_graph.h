#pragma once

#include "graph/names.h"
#include "graph/source_position.h"
#include "support/fingerprint.h"
#include "support/ids.h"

#include <cstdint>
#include <vector>

namespace retest {

struct NodeTag;
/// A node of one flow graph: its index in FlowGraph::nodes.
using NodeId = Id<NodeTag>;

enum class NodeKind : std::uint8_t {
  Entry,           ///< where the function begins; always node 0
  Exit,            ///< normal return to the caller; always node 1
  ExceptionalExit, ///< an exception leaves the function
  Terminate,       ///< an exception meets `noexcept`: std::terminate
  Block,           ///< elements that run in sequence
  Call,            ///< elements that run in sequence, the last of which is a call
  Cleanup,         ///< a destructor (or operator delete) that runs while an exception passes
  Try,             ///< where an exception arrives at a try block's handlers
  Catch,           ///< asks whether one handler takes the exception
};

/// How control gets from one node to the next. Flow, Path and Exception edges join the nodes of
/// one function and are stored; call and return edges join functions and follow from linking.
enum class EdgeKind : std::uint8_t {
  Flow,        ///< labelled "", "T", "F", "case 3", "case 1..5", "default", "caught", "not caught"
  Path,        ///< from a call node to its return node: the callee came back
  Exception,   ///< labelled "exception": the node threw, or an exception passes it
  Call,        ///< from a call node to the entry of the callee
  VirtualCall, ///< the same, one for each receiver class, which is the label
  Return,      ///< from the exit of the callee to the return node
};

/// One step of a node: a statement, an initialiser, an implicit destructor, a branch condition.
struct Element {
  /// Hash of its meaning; locals count by their first occurrence in the node (Node::locals).
  std::uint64_t fingerprint = 0;
  SourceRange where;

  auto operator<=>(const Element &) const = default;
};

enum class CallKind : std::uint8_t {
  Direct,   ///< the callee is known
  Virtual,  ///< dispatched by the class of the receiver
  Indirect, ///< through a pointer: any function whose address was taken
};

/// The call that ends a Call or Cleanup node.
struct CallSite {
  CallKind kind = CallKind::Direct;
  NameId callee;   ///< identity of the resolved function; not valid for an indirect call
  NameId receiver; ///< virtual calls: static class of the receiver

  auto operator<=>(const CallSite &) const = default;
};

/// What a node depends on beside its own text. Fingerprints name these things; whether they
/// changed is seen where they are defined, and this list leads from there to the node.
enum class UseKind : std::uint8_t {
  Address,    ///< takes the address of a function
  Variable,   ///< reads, writes or takes the address of a variable with static storage
  Constructs, ///< constructs a complete object of the class
  Layout,     ///< depends on size, fields or bases of the class (copy, sizeof, cast, destroy, ...)
  Hierarchy, ///< depends on the class's place in its hierarchy (dynamic_cast, typeid, throw, catch)
};

struct Use {
  UseKind kind = UseKind::Variable;
  NameId entity;

  auto operator<=>(const Use &) const = default;
};

struct Node {
  NodeKind kind = NodeKind::Block;
  std::vector<Element> elements;
  CallSite call; ///< meaningful for Call and Cleanup nodes
  /// The function's locals that the elements mention, in order of first occurrence. Locals are
  /// numbered by declaration, so equal fingerprints with differing lists differ by a renaming.
  std::vector<std::uint32_t> locals;
  std::vector<Use> uses; ///< sorted, each once
  /// Its first element begins in the text or in an argument of a macro: its place is the macro's,
  /// or its argument's, and says little about when it runs.
  bool isInMacro = false;

  auto operator<=>(const Node &) const = default;
};

struct FlowEdge {
  NodeId from;
  NodeId to;
  EdgeKind kind = EdgeKind::Flow;
  NameId label; ///< the empty string where there is only one way on

  auto operator<=>(const FlowEdge &) const = default;
};

/// The control flow of one function.
///
/// A block ends after each call: the call node holds the elements up to the call, its path edge
/// leads to the return node. Nodes are numbered in depth-first order from the entry, following
/// edges in order; nodes without predecessors come last. Edges are sorted by origin, and the
/// edges of one node keep the order of the source (T before F, handlers as written).
struct FlowGraph {
  std::vector<Node> nodes;
  std::vector<FlowEdge> edges;

  auto operator<=>(const FlowGraph &) const = default;
};

/// What makes two nodes equivalent up to the names of locals: kind and elements. A call's
/// target and the uses are part of the elements' fingerprints.
Fingerprint fingerprintOf(const Node &node);

/// Hash of the whole graph, numbers of locals included.
Fingerprint fingerprintOf(const FlowGraph &graph, const Names &names);

} // namespace retest
