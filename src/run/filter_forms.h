#pragma once

#include "run/suite_filter.h"

namespace retest {

// The two forms of suiteFilter(), which says what they do. `isExact` is left to it.

SuiteFilter includeFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                          const std::vector<bool> &isWanted);

SuiteFilter excludeFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                          const std::vector<bool> &isWanted, Unlisted unlisted);

} // namespace retest
