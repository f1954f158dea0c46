#pragma once

#include "report/selection_report.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

/// The selected tests, by id, one in each line.
void writeSelectionList(llvm::raw_ostream &out, const SelectionReport &report);
/// The same with a zero byte behind each name, which is as it is.
void writeSelectionZeros(llvm::raw_ostream &out, const SelectionReport &report);

struct SelectionTextStyle {
  bool colour = false;
  unsigned width = 80;
};

/// For people: each selected test with the first thing that speaks for it, then doubts and changed
/// code that no test reaches.
///
///     subject_test::C.Low   code changed at src/lib.cpp:4
void writeSelectionText(llvm::raw_ostream &out, const SelectionReport &report,
                        const SelectionTextStyle &style);

/// "3 of 177 tests selected (2 affected, 1 unmeasured); 170 skipped, 4 disabled"
std::string selectionSummary(const SelectionReport &report);

} // namespace retest
