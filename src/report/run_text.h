#pragma once

#include "report/junit.h"

namespace retest {

/// How a run went, in numbers.
struct RunCounts {
  std::size_t total = 0; ///< all tests that the project runs, disabled ones left out
  std::size_t ran = 0;
  std::size_t passed = 0, flaky = 0; ///< flaky ones passed, too
  std::size_t failed = 0, timedOut = 0, crashed = 0, skipped = 0, notStarted = 0;
  std::size_t quarantined = 0; ///< that failed; they are counted nowhere else
  std::size_t disabled = 0;
  /// Of those that did not run, by the reason.
  std::vector<std::pair<std::string, std::size_t>> notRun = {};

  std::size_t failures() const { return failed + timedOut + crashed + notStarted; }
  auto operator<=>(const RunCounts &) const = default;
};

RunCounts countResults(llvm::ArrayRef<TestResult> results);

/// "26 of 177 tests run in 1.23 s: 25 passed (1 flaky), 1 failed; 151 not run (not affected)"
std::string runSummary(const RunCounts &counts, std::chrono::milliseconds wall);

/// "FAIL    0.012 s  calc_test::Add.Negative": one line while tests run.
std::string outcomeLine(const RecordedTest &test, const TestAttempt &attempt, bool colour);

/// The outputs of tests that failed or are flaky, each under a line that names it.
void writeFailures(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> results, bool colour);

} // namespace retest
