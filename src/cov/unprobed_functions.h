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
  /// By FunctionId: some copy of it has no counters, as in units that are compiled without.
  std::vector<bool> isUncounted;
  /// By FunctionId: the compiler says that it made no code of it. It may be wrong of some other
  /// copy, so callers count.
  std::vector<bool> isUnemitted;
  /// The tests that may have been at a node of a function with probes. Of one without: those that
  /// were counted all the same, in another copy of it.
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
///   - an initialiser, a table of addresses, or an object that is there from the start: all
///     tests of the program;
///   - an object of another language, or a prebuilt one, which may call whatever it can name: all
///     tests of the program;
///   - nothing: in this program nobody is seen to call it, so all of its tests; none if there is no
///     code of it, or if it is trivial.
///
/// By FunctionId; the sets of functions with probes are empty.
std::vector<TestSet> testsOfUnprobed(const Project &project, const Names &names,
                                     const ProbedCoverage &probed, std::size_t testCount);

/// The classes of which objects may be there although nobody was counted where they are made: as
/// the value that a variable has from the start, or by a constexpr function, which the compiler may
/// have run. Sorted.
std::vector<NameId> constructedByCompiler(const Project &project, const ProgramGraph &program);

} // namespace retest
