#pragma once

#include "run/ctest_suite.h"

namespace retest {

/// The tests of a build directory that Meson configured, in its order.
///
/// Meson's own description (meson-info/intro-tests.json) says everything but which tests are meant
/// to fail: `meson` is asked for these.
llvm::Expected<std::vector<SuiteEntry>> readMesonSuite(const std::string &buildDirectory);

/// Reads the description. `shouldFail` is the answer: a list of "true" and "false", by test.
llvm::Expected<std::vector<SuiteEntry>> parseMesonSuite(llvm::StringRef description,
                                                        llvm::StringRef shouldFail,
                                                        const std::string &buildDirectory);

} // namespace retest
