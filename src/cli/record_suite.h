#pragma once

#include "cli/context.h"
#include "cli/tree.h"
#include "cov/coverage_collector.h"
#include "run/run_suite.h"

namespace retest {

/// How the tests of a project are run while they are recorded.
struct RecordSuiteOptions {
  unsigned jobs = 1;
  /// Tests of one CTest entry may run at the same time, although CTest runs them one by one.
  bool splitsEntries = false;
  bool isForking = true;
  unsigned repeats = 1; ///< how often the whole suite runs; a test keeps the union
};

/// What came of it.
struct RecordedSuite {
  CoverageMatrix matrix;
  std::vector<UnforkedProgram> unforked;
  std::vector<std::string> uncompared; ///< as SuiteResult::uncompared
  CoverageCollector::Statistics witnesses;
  std::vector<std::string> unstable; ///< ids of tests that did not do the same each time
  std::string filesUnknown;          ///< why files were not watched; empty: they were
  std::chrono::milliseconds wall{0};
};

/// Runs all tests of the build directory and gathers what each of them reached.
///
/// An error if there are no tests, or nothing of the project has counters. Tests that cannot be
/// measured are in the matrix, with the reason.
llvm::Expected<RecordedSuite> recordSuite(const Tree &tree, const Project &project,
                                          const Names &names, const RecordSuiteOptions &options,
                                          Context &context);

} // namespace retest
