#pragma once

#include "report/graph_view.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

/// Pictures stay readable (and graphviz quick) up to some size; what is left out is said.
struct DotOptions {
  unsigned maxNodes = 400;        ///< of one function
  unsigned maxProgramNodes = 600; ///< above, a program's picture shows functions without inside
  unsigned maxFunctions = 400;
  unsigned maxNeighbours = 12; ///< callers of a function; targets of one call
  unsigned maxColumns = 60;    ///< of a source line
};

/// A function as a graphviz picture: a box for each node with its source lines, coloured by kind;
/// T green, F red, path edges dashed, exceptions dashed orange; callers above, callees beside.
void writeFunctionDot(llvm::raw_ostream &out, GraphView &view, FunctionId function,
                      const DotOptions &options);

/// Several functions as clusters joined by their calls; `functions` are sorted by id. A program
/// that is too large for that becomes its call graph.
void writeProgramDot(llvm::raw_ostream &out, GraphView &view, llvm::ArrayRef<FunctionId> functions,
                     const DotOptions &options);

} // namespace retest
