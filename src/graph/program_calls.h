#pragma once

#include "graph/virtual_calls.h"

#include <optional>

namespace retest {

/// An edge between two functions of a program. Its return edge runs from the exit of `target` to
/// `returnsTo`.
struct CallEdge {
  NodeId from;                    ///< the call node
  EdgeKind kind = EdgeKind::Call; ///< Call or VirtualCall
  ClassId receiver;               ///< virtual calls: the label; not valid if no unit shows it
  NameId callee;                  ///< what is called; not valid for a call through a pointer
  FunctionId target;              ///< not valid: external code, or unknown (through a pointer)
  NodeId returnsTo;               ///< not valid if the call never comes back
  bool isOnlyDuringConstruction = false;

  auto operator<=>(const CallEdge &) const = default;
};

/// A call site seen from the function that it calls.
struct Caller {
  FunctionId function;
  NodeId node;
  EdgeKind kind = EdgeKind::Call;

  auto operator<=>(const Caller &) const = default;
};

/// The calls between the functions of one program.
///
/// A name with several variants has an edge to each, the chosen one first: which copy runs (or was
/// inlined before the linker chose) is not for the graph to say. A call through a pointer is one
/// edge without target; external_code.h lists the functions whose address is taken.
/// REQUIRES: `project` and `names` outlive the object and do not change.
class ProgramCalls {
public:
  ProgramCalls(const Project &project, const ProgramGraph &program, const Names &names);

  /// In order of the call nodes.
  std::vector<CallEdge> callEdges(FunctionId function);
  /// Sorted. The first question costs a walk over the whole program.
  llvm::ArrayRef<Caller> callersOf(FunctionId function);
  /// The tables behind a virtual call of `function`; none if no unit shows the receiver's class.
  llvm::SmallVector<const Dispatch *, 1> dispatchesOf(FunctionId function, const CallSite &call);
  VirtualCalls &virtualCalls() { return virtualCalls_; }

private:
  struct Row {
    FunctionId target;
    Caller caller;

    auto operator<=>(const Row &) const = default;
  };

  void addVirtual(FunctionId function, const CallSite &call, const CallEdge &pattern,
                  std::vector<CallEdge> &edges);

  const Project &project_;
  const ProgramGraph &program_;
  VirtualCalls virtualCalls_;
  std::optional<std::vector<Row>> rows_; ///< sorted
  std::vector<Caller> callers_;          ///< of rows_, in the same order
};

} // namespace retest
