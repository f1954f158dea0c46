#pragma once

#include "report/selection_report.h"
#include "run/execution_report.h"

namespace retest {

/// A report of executed tests, and the program that it is of, as far as the user has said.
struct NamedExecution {
  std::string binary; ///< as the user calls it; empty: any
  ExecutionReport report;
};

/// What was executed, compared with what was selected. Tests by their index in the selection.
struct Verification {
  std::size_t executed = 0;              ///< of those that were selected
  std::vector<std::size_t> missing = {}; ///< selected, and not known to have been executed
  /// Some of them: tests with their names were executed, and the reports do not say which of
  /// several. Sorted, like the others.
  std::vector<std::size_t> ambiguous = {};
  std::vector<std::size_t> extra = {};   ///< executed, and not selected
  std::vector<std::string> unknown = {}; ///< executed, and in no list

  bool operator==(const Verification &) const = default;
};

/// A test counts as executed only if the reports leave no doubt: where several tests have a name,
/// all of them have to be there, or the report has to be that of one program.
Verification verifyExecution(const SelectionReport &selection,
                             llvm::ArrayRef<NamedExecution> executions);

} // namespace retest
