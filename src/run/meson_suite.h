#pragma once

#include "run/ctest_suite.h"

namespace retest {

/// The tests of a build directory that Meson configured, in its order.
///
/// Meson is asked: what it keeps for `meson test` only it can read, and the description that it
/// leaves for others does not say which tests are meant to fail, nor what the usual setup adds. The
/// answer is kept in the state directory for as long as Meson does not configure again.
llvm::Expected<std::vector<SuiteEntry>> readMesonSuite(const std::string &buildDirectory,
                                                       const std::string &stateDirectory);

/// Reads the answer.
llvm::Expected<std::vector<SuiteEntry>> parseMesonSuite(llvm::StringRef json,
                                                        const std::string &buildDirectory);

} // namespace retest
