#pragma once

#include "graph/program_graph.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace retest {

/// A set of tests, by TestId.
using TestSet = llvm::BitVector;

/// What is known of the functions with probes, for those without.
struct ProbedCoverage {
  std::vector<bool> isProbed; ///< by FunctionId
  /// The tests that may have been at a node of a function with probes.
  llvm::function_ref<TestSet(FunctionId, NodeId)> testsAt;
  /// The tests that ran or loaded a program.
  llvm::function_ref<TestSet(const ProgramGraph &)> testsOf;
};

/// The tests that may have entered a function without probes: implicit functions, instantiations in
/// headers outside the project, code in system headers, units built without counters.
///
/// They are the tests of its callers, through functions without probes, up to
///   - a node of a function with probes that calls it, takes its address, or constructs an object
///     whose destructor or virtual method it is;
///   - an initialiser, or a table of addresses: all tests of the program;
///   - nothing: nobody is seen to call it, so all tests of its programs.
///
/// By FunctionId; the sets of functions with probes are empty.
std::vector<TestSet> testsOfUnprobed(const Project &project, const Names &names,
                                     const ProbedCoverage &probed, std::size_t testCount);

} // namespace retest
