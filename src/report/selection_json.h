#pragma once

#include "report/selection_report.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

/// The answer as one JSON object; docs/select.md tells its fields.
void writeSelectionJson(llvm::raw_ostream &out, const SelectionReport &report);

/// GoogleTest: "gtest"; Catch2: "catch2"; a plain entry of CTest: "ctest".
llvm::StringRef wordFor(std::optional<Framework> framework);

} // namespace retest
