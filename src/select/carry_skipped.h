#pragma once

#include "cov/coverage_collector.h"
#include "diff/delta.h"
#include "select/selection.h"

#include <llvm/ADT/StringSet.h>

namespace retest {

/// A recording, the version that was run after it, and what a selection said about its tests.
struct SkippedTests {
  const CoverageMatrix &recorded;
  llvm::ArrayRef<TestVerdict> verdicts; ///< by TestId of `recorded`
  const Project &baseline, &current;
  const Names &names; ///< of both
  const Delta &delta;
  /// Binaries of the current version, by name, that are not built: no test ran them.
  const llvm::StringSet<> &unbuilt;
};

/// Adds what is known of tests that did not run to what a run gathered about the others, so that
/// the collector's matrix is that of the whole suite at the current version (DESIGN 3.6):
///
///     it ran                    stays as it is
///     it was skipped            keeps its recording: outcome, programs and files as they are,
///                               coverage in terms of the current graph
///     it was selected           pending: the same outcome, but unmeasured
///     it is new                 unmeasured
///
/// `tests` are those of the current version, by TestId, with what describes them (settings, lines);
/// `hasRun` says which of them ran. A recorded test that is not among them is gone. Of programs
/// that are not built, the tests are those that were recorded; their lines are brought up to date.
///
/// Whoever is skipped and cannot be carried over is unmeasured, and the reason is told. An error
/// if the recording does not fit the baseline: then nothing should be stored.
llvm::Error carrySkipped(const SkippedTests &skipped, const llvm::BitVector &hasRun,
                         std::vector<RecordedTest> &tests, CoverageCollector &collector);

} // namespace retest
