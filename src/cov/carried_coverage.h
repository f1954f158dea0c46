#pragma once

#include "cov/coverage_matrix.h"
#include "graph/program_graph.h"

#include <llvm/ADT/BitVector.h>

namespace retest {

/// What tests that were not run again did at an earlier version of the program, in terms of the
/// functions of this one.
struct CarriedCoverage {
  /// These tests entered the function, and may have crossed these of its edges.
  struct Row {
    FunctionId function;
    llvm::BitVector edges; ///< by index in FlowGraph::edges
    std::vector<TestId> tests;
  };
  std::vector<Row> rows;
  /// Functions that have counters, as far as the earlier version tells; sorted.
  std::vector<FunctionId> counted;
  /// Functions that had none: what these tests did in them is not known; sorted.
  std::vector<FunctionId> uncounted = {};
  /// Functions that had none, and that no test came to all the same; sorted.
  std::vector<FunctionId> idle = {};
};

} // namespace retest
