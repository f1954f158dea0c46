#pragma once

#include "build/project_paths.h"
#include "run/ctest_suite.h"
#include "run/environment_part.h"
#include "run/recorded_test.h"
#include "select/new_tests.h"

#include <llvm/ADT/ArrayRef.h>

#include <vector>

namespace retest {

/// What runs the tests now, programs that are not built included: their entries say what they will
/// start.
llvm::Expected<std::vector<SuiteEntry>> entriesNow(const ProjectPaths &paths,
                                                   llvm::ArrayRef<RecordedTest> tests);

/// Tests that are run in another way than they were.
std::vector<TestId> resettledTests(llvm::ArrayRef<SuiteEntry> suite,
                                   llvm::ArrayRef<RecordedTest> tests, const ProjectPaths &paths,
                                   llvm::ArrayRef<EnvironmentPart> recordedEnvironment);

/// Adds entries that were not there. What the registrations of a program tell already is not told
/// again.
void addNewEntries(llvm::ArrayRef<SuiteEntry> suite, llvm::ArrayRef<RecordedTest> tests,
                   RegisteredTests &registered);

} // namespace retest
