#pragma once

#include "graph/extract_context.h"
#include "graph/extract_unwinding.h"
#include "graph/flow_builder.h"

#include <functional>

namespace retest {

/// Adds the nodes that an exception passes on its way out of a function: cleanups, try nodes, catch
/// nodes, the exceptional exit. Each is made when the first exception edge needs it.
class UnwindFlow {
public:
  /// Where the code of a handler begins; not valid if it has none.
  using HandlerEntry = std::function<NodeId(const clang::CXXCatchStmt *)>;

  /// `isNoexcept`: an exception that would leave ends the program.
  UnwindFlow(UnitContext &unit, const clang::FunctionDecl *function, bool isNoexcept,
             const Unwinding &unwinding, FlowBuilder &flow, HandlerEntry entryOf)
      : unit_(unit), function_(function), isNoexcept_(isNoexcept), unwinding_(unwinding),
        flow_(flow), entryOf_(std::move(entryOf)) {}

  /// An exception thrown in `from` meets one of the steps first.
  void addExceptions(NodeId from, llvm::ArrayRef<int> steps);

private:
  NodeId nodeOf(int step);
  NodeId exit();
  void addCleanup(NodeId id, const UnwindStep &what);
  NodeId addTry(const UnwindStep &what);
  NodeId addCatch(const clang::CXXCatchStmt *handler);
  NameId label(llvm::StringRef text) { return unit_.names.intern(text); }

  UnitContext &unit_;
  const clang::FunctionDecl *function_;
  bool isNoexcept_;
  const Unwinding &unwinding_;
  FlowBuilder &flow_;
  HandlerEntry entryOf_;
  llvm::DenseMap<int, NodeId> nodes_; ///< by step
  NodeId exit_;
};

} // namespace retest
