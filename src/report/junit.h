#pragma once

#include "run/recorded_test.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

/// One run of a test. A test that failed may have run again.
struct TestAttempt {
  TestStatus status = TestStatus::NotRun;
  std::chrono::microseconds duration{0};
  std::string output = {};  ///< both streams
  std::string message = {}; ///< why, if the status alone does not say it

  auto operator<=>(const TestAttempt &) const = default;
};

/// A test and all its runs in one `retest run`.
struct TestResult {
  RecordedTest test;
  std::vector<TestAttempt> attempts = {}; ///< in order; none: it did not run
  std::string whyNot = {};                ///< of one that did not run: "not affected"
  bool isQuarantined = false;             ///< its failure does not count

  auto operator<=>(const TestResult &) const = default;
};

/// The name of the suite that a test is in: its program's file name, or "ctest" of plain entries.
std::string junitSuiteOf(const RecordedTest &test);

/// It passed in the end, and not at once.
bool isFlaky(const TestResult &result);
/// Its last outcome; NotRun if there is none.
TestStatus outcomeOf(const TestResult &result);
/// "passed", "timed out"
llvm::StringRef wordFor(TestStatus status);

/// Writes results as JUnit XML in the dialect that Jenkins and GitLab read, with a suite for each
/// binary. Tests that did not run are left out, unless `reportsSkipped`.
///
///     <testsuite name="calc_test" ...>
///       <testcase classname="calc_test" name="Add.Negative" time="0.001" file="calc_test.cpp"
///       line="6">
///         <failure type="failed" message="...">its output</failure>
///
/// What failed first and passed in the end has a <flakyFailure> for each failure; what failed each
/// time has the first as <failure>, others as <rerunFailure>. REQUIRES: sorted by binary.
void writeJunit(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> results, bool reportsSkipped);

/// Text as XML can hold it: valid UTF-8, without control characters and colour codes, `<` and its
/// like replaced. In an attribute also line ends are.
std::string xmlText(llvm::StringRef text, bool isAttribute = false);

} // namespace retest
