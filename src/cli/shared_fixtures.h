#pragma once

#include "run/ctest_suite.h"
#include "select/select_tests.h"

namespace retest {

/// What tests set up for others by the word of CTest, as if it were files: what a fixture's setup
/// makes is used by all that require the fixture and by its cleanup; what an entry does, by those
/// that DEPENDS on it. It may be a file, which is seen, or a database or daemon, which is not.
std::vector<SharedFile> sharedFixtures(llvm::ArrayRef<SuiteEntry> suite,
                                       llvm::ArrayRef<RecordedTest> tests);

} // namespace retest
