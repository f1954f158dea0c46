#pragma once

#include "diff/flow_walk.h"
#include "graph/program_graph.h"

#include <vector>

namespace retest {

/// What happened, in the terms of the person who made the change.
enum class ChangeKind : std::uint8_t {
  Statement,      ///< code behind the edge says something else
  Local,          ///< code behind the edge says the same about another local variable
  EdgeRemoved,    ///< control no longer goes this way
  EdgeAdded,      ///< control has a new way that takes from this one: a case, a handler
  Declaration,    ///< type or attributes of the function; or its text, which has no graph: `entity`
  TooLarge,       ///< the two graphs were not compared to the end
  Layout,         ///< of the class `entity`
  Hierarchy,      ///< the bases of the class `entity`
  Variable,       ///< type or initialiser of the variable `entity`
  Override,       ///< receivers of the class run another method: `entity`
  Definition,     ///< the program now takes `entity` from elsewhere, or no longer, or for the first
                  ///< time
  Initialisers,   ///< static initialisation gains, loses or reorders the unit `entity`
  CompiledOut,    ///< text that the configuration leaves out: a doubt
  Flags,          ///< compile flags of the unit `entity`
  ExternalHeader, ///< the unit sees the header `entity` in another way
  GivenToLibrary, ///< what the unit `entity` gives to code of libraries
  LinkInput,      ///< the file `entity` is linked, or no longer
  ProgramGone,    ///< the program is no longer built, or under another name
  NotParsed,      ///< the unit `entity` does not parse: a doubt
};

/// Why an edge is dangerous.
struct Reason {
  ChangeKind kind = ChangeKind::Statement;
  NameId entity; ///< see ChangeKind; else not valid
  /// Where the change was made: in the current tree, or, for what is gone, in the baseline.
  SourcePosition where;
  bool isInBaseline = false;
  NodeId baselineNode, currentNode; ///< the pair that differs, where there is one

  auto operator<=>(const Reason &) const = default;
};

/// Which edge of the baseline. One function's edges follow its flow; calls leave it.
enum class EdgePlace : std::uint8_t {
  Entry,       ///< every call of the function
  Flow,        ///< `edge` of its flow graph
  Call,        ///< from `node` to the function, or variable, that it names
  VirtualCall, ///< from `node`, for receivers of the class `receiver`
};

/// A baseline edge after which the current program may behave differently.
struct DangerousEdge {
  FunctionId function; ///< of the baseline
  EdgePlace place = EdgePlace::Entry;
  std::uint32_t edge = 0; ///< for Flow: index in FlowGraph::edges
  NodeId node;            ///< for Call and VirtualCall
  NameId receiver;        ///< for VirtualCall: the label
  Reason reason;
  /// The programs (of the baseline, by index) in which it is dangerous; empty: in all.
  std::vector<std::uint32_t> programs;

  auto operator<=>(const DangerousEdge &) const = default;
};

/// External code that calls `method` of a `type` object now ends up elsewhere.
struct DangerousClassEntry {
  NameId type;
  NameId method; ///< the label; not valid: the default edge `*`
  Reason reason;
  std::vector<std::uint32_t> programs;

  auto operator<=>(const DangerousClassEntry &) const = default;
};

/// Every run of the program may behave differently.
struct DangerousProgram {
  std::uint32_t program = 0; ///< of the baseline
  Reason reason;

  auto operator<=>(const DangerousProgram &) const = default;
};

enum class FunctionChangeKind : std::uint8_t { Added, Removed, Changed, Moved };

/// A function that is not what or where it was.
struct FunctionChange {
  FunctionChangeKind kind = FunctionChangeKind::Changed;
  FunctionId baseline; ///< not valid if it was added
  FunctionId current;  ///< not valid if it was removed
  /// The nodes and edges that stand for each other, for a changed function.
  std::vector<NodePair> nodes;
  std::vector<EdgePair> edges;

  auto operator<=>(const FunctionChange &) const = default;
};

/// Everything that differs between two versions of a project. All lists are sorted.
struct Delta {
  std::vector<DangerousEdge> edges;
  std::vector<DangerousClassEntry> classEntries;
  std::vector<DangerousProgram> programs;
  std::vector<FunctionChange> functions;
  /// Units by name: added, removed, or with any difference in them.
  std::vector<NameId> addedUnits, removedUnits, changedUnits;
  std::vector<NameId> addedPrograms, removedPrograms;
  /// What could not be known; each has widened the lists above.
  std::vector<Doubt> doubts;

  bool isHarmless() const { return edges.empty() && classEntries.empty() && programs.empty(); }
};

} // namespace retest
