#pragma once

#include "cov/coverage_matrix.h"
#include "cov/unprobed_functions.h"

#include <llvm/ADT/DenseMap.h>

#include <map>

namespace retest {

/// Puts the matrix together: who crossed which edges of functions with probes, what follows from
/// that for functions without, which classes were constructed; and each set of tests once.
class MatrixBuilder {
public:
  /// REQUIRES: `project` and `names` outlive the object.
  MatrixBuilder(const Project &project, const Names &names, std::vector<RecordedTest> tests);

  /// The function has counters.
  void addProbed(FunctionId function);
  /// It has some, but they do not tell all: what its callers did counts.
  void addUnreliable(FunctionId function);
  /// The compiler says that it made no code of it: nobody has to be seen to call it.
  void addUnemitted(FunctionId function);
  /// The unit was compiled without counters: whatever copy of its functions runs may be that one.
  void addUncounted(UnitId unit);
  /// The tests may have crossed these edges of the function. Tests that were not measured are left
  /// out.
  void addCrossed(FunctionId function, const llvm::BitVector &edges,
                  llvm::ArrayRef<std::uint32_t> tests);

  CoverageMatrix finish();

private:
  struct Pattern {
    llvm::BitVector edges;
    TestSet tests;
  };

  TestSet testsAt(FunctionId function, NodeId node) const;
  TestSet testsOf(const ProgramGraph &program) const;
  FunctionCoverage rowOf(FunctionId function, const TestSet *unprobed);
  CoverageClassId classOf(const TestSet &tests);
  void addUnits(const std::vector<TestSet> &unprobed);
  void addConstructed(const std::vector<TestSet> &unprobed);

  const Project &project_;
  const Names &names_;
  CoverageMatrix matrix_;
  std::vector<bool> isCounted_;   ///< by function: it has counters
  std::vector<bool> isUnemitted_; ///< by function
  std::vector<bool> isProbed_;    ///< by function: they tell all; see finish
  std::vector<FunctionId> unreliable_;
  std::vector<UnitId> uncounted_;
  llvm::DenseMap<std::uint32_t, std::vector<Pattern>> patterns_; ///< by function
  std::map<std::vector<TestId>, CoverageClassId> classes_;
};

} // namespace retest
