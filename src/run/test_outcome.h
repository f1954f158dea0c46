#pragma once

#include "run/cmake_expression.h"
#include "run/ctest_suite.h"
#include "run/recorded_test.h"
#include "run/run_end.h"

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace retest {

/// What CTest looks at to tell success from failure, ready to be applied.
struct OutcomeRules {
  bool willFail = false;
  std::optional<int> skipReturnCode = {};
  std::optional<int> errorReturnCode = {}; ///< SuiteEntry tells of these
  bool mayCrashToFail = false;
  bool hasPassExpressions = false; ///< then the exit code does not count
  std::vector<CMakeExpression> pass = {}, fail = {}, skip = {};
  /// Expressions that CMake refuses, each with the reason: they are found nowhere.
  std::vector<std::string> refused = {};

  bool readsOutput() const { return hasPassExpressions || !fail.empty() || !skip.empty(); }
};

OutcomeRules outcomeRulesOf(const SuiteEntry &entry);

/// The outcome of a run, equal to what CTest 3.25 says of it.
///
///     ended by a signal, or by the time limit    crashed, timed out: nothing else counts
///     skip code or skip expression               skipped, before all that follows
///     pass expressions                           success if one is found, whatever the exit code
///     fail expressions                           failure if one is found
///     WILL_FAIL                                  success and failure change places
///
/// `output` is what it wrote to both streams, in the order of writing.
TestStatus statusOf(const OutcomeRules &rules, const RunEnd &end, llvm::StringRef output);

/// Output as CTest's expressions see it: a zero byte ends a line, a line's last `\r` is gone, and
/// the last line has an end.
std::string outputForExpressions(llvm::StringRef output);

} // namespace retest
