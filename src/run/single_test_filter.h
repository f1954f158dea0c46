#pragma once

#include "run/native_test.h"
#include "run/test_framework.h"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace retest {

/// Arguments for a test program that make it run one test.
struct TestFilter {
  std::vector<std::string> arguments;
  /// No other test can run with it. If not, the test runs, and others may run too.
  bool isExact = true;

  bool operator==(const TestFilter &) const = default;
};

/// The filter of a test of which nothing else is known. A disabled test is asked for as such: it
/// runs. Where a framework cannot write a name exactly (NamePattern), others may match.
TestFilter filterFor(Framework framework, const NativeTest &test);

/// The filters of all tests of a program. Knowing the other names, most are exact: `Two` of Catch2
/// is inexact only if there is a `two`.
std::vector<TestFilter> filtersFor(Framework framework, llvm::ArrayRef<NativeTest> tests);

} // namespace retest
