#pragma once

#include "report/selection_report.h"

#include <llvm/Support/Error.h>

namespace retest {

/// A whole report as text, to be read again. Not for others: `retest select --format json` is.
std::string encodeReport(const SelectionReport &report);

/// The report that `encodeReport` gave. Takes any text: an error if it is not one.
llvm::Expected<SelectionReport> decodeReport(llvm::StringRef text);

} // namespace retest
