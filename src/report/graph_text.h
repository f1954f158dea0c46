#pragma once

#include "report/graph_view.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

struct TextStyle {
  bool colour = false;
  unsigned width = 100; ///< source lines are cut there
};

/// A function for the terminal: each node with its source lines, then the ways on.
///
///     classify(int)  src/a.cpp:3
///     strong function, 4 nodes, 4 edges
///
///         0 entry
///               -> 2
///         2 call                 4 | if (isEven(n))
///               calls isEven(int)  src/a.cpp:1
///               => 3
///         3 block                4 | if (isEven(n))
///               T -> 1 exit
///               F -> 1 exit
///         1 exit
///
///     called by
///       main  src/main.cpp:8  node 4
///
/// `=>` is the way on after a call has come back, `~>` the way of an exception.
void writeFunctionText(llvm::raw_ostream &out, GraphView &view, FunctionId function,
                       const TextStyle &style);

/// Several functions, with a blank line between them.
void writeFunctionsText(llvm::raw_ostream &out, GraphView &view,
                        llvm::ArrayRef<FunctionId> functions, const TextStyle &style);

/// The program: units in link order, roots, ways in from external code, doubts.
void writeProgramText(llvm::raw_ostream &out, GraphView &view, const TextStyle &style);

} // namespace retest
