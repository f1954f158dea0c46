#pragma once

#include "cov/carried_coverage.h"
#include "diff/delta.h"

#include <llvm/Support/Error.h>

namespace retest {

/// A test of which it is not known what it does in the current program.
struct LostTest {
  TestId test; ///< current
  std::string reason;

  auto operator<=>(const LostTest &) const = default;
};

/// What is known of tests that were skipped.
struct CarriedForward {
  CarriedCoverage coverage;   ///< by current TestId
  std::vector<LostTest> lost; ///< sorted; these are unmeasured
};

/// What the skipped tests of a baseline do in the current program (DESIGN 3.6).
///
/// A test is skipped because it crossed no dangerous edge, so each edge that it crossed has a
/// counterpart, which it would cross now. Only what was counted is carried: what follows for
/// functions without counters, and which classes were constructed, is worked out again from the
/// current graph, so that the outcome is that of a recording. An edge without a counterpart makes
/// the test unmeasured (S3).
///
/// `delta` is that of the two versions at any granularity. `ids`: for each test of `recorded` the
/// id that it has now; not valid: it is not carried. Two versions that are the same: the same
/// project twice, and an empty delta.
///
/// An error if the rows do not fit the baseline, or do not tell which functions had counters.
llvm::Expected<CarriedForward> carryForward(const CoverageMatrix &recorded, const Project &baseline,
                                            const Project &current, const Names &names,
                                            const Delta &delta, llvm::ArrayRef<TestId> ids);

} // namespace retest
