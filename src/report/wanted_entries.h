#pragma once

#include "report/selection_report.h"
#include "run/ctest_suite.h"
#include "run/suite_filter.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace retest {

/// Of each entry of CTest, whether it has to run.
///
/// An entry is left out if all that is known to run with it is skipped. One that nobody knows has
/// to run; so has one that runs a program with new tests, or with tests that only the built program
/// can list, unless its command names another test.
///
/// `binaryOf` gives a program, by its path, the name that tests have for it.
std::vector<bool> wantedEntries(const SelectionReport &report, llvm::ArrayRef<SuiteEntry> entries,
                                FilterForm form,
                                llvm::function_ref<std::string(llvm::StringRef)> binaryOf);

} // namespace retest
