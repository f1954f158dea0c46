#pragma once

#include "graph/extract_context.h"
#include "graph/flow_graph.h"

#include <string>

namespace retest {

struct ExtractedFlow {
  FlowGraph graph;
  std::string unmodelled; ///< as Function::unmodelled
};

/// The flow graph of a function's body, of a variable's initialiser (`function` is null then
/// and `owner` the variable), or of a block literal inside a function or initialiser.
///
/// Built on clang::CFG, which gives blocks, branches and destructors on normal paths. Added here:
/// blocks end after each call, exceptions leave calls and pass destructors and handlers on their
/// way out, and blocks without elements are skipped.
ExtractedFlow extractFlow(UnitContext &unit, const clang::Decl *owner,
                          const clang::FunctionDecl *function, clang::Stmt *body);

} // namespace retest
