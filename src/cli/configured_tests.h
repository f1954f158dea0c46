#pragma once

#include "cli/context.h"
#include "config/config.h"
#include "report/selection_report.h"
#include "select/select_tests.h"

#include <llvm/ADT/ArrayRef.h>

#include <functional>

namespace retest {

/// The tests that patterns mean: by id, by name, or by an entry of CTest that runs them; sorted.
/// Disabled ones are left out.
std::vector<TestId> testsMatching(llvm::ArrayRef<ConfigPattern> patterns,
                                  llvm::ArrayRef<RecordedTest> tests);

/// The tests of `always`. Warns of a pattern that means none: it may be mistyped.
std::vector<TestId> alwaysTests(const Config &config, llvm::ArrayRef<RecordedTest> tests,
                                Context &context);

/// What the changed files set off. They are asked for only if there are triggers.
std::vector<TriggeredTests>
triggeredTests(const Config &config, llvm::ArrayRef<RecordedTest> tests,
               const std::function<std::vector<std::string>()> &changedFiles, Context &context);

/// The tests in quarantine.
std::vector<TestId> quarantinedTests(const Config &config, std::chrono::year_month_day today,
                                     llvm::ArrayRef<RecordedTest> tests);

/// Notes in the report which of its tests are in quarantine. An entry whose time is over no longer
/// holds, and is reported as an error.
void addQuarantine(const Config &config, std::chrono::year_month_day today, SelectionReport &report,
                   Context &context);

/// By UTC.
std::chrono::year_month_day today();

} // namespace retest
