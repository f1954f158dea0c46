#pragma once

#include "report/selection_report.h"

#include <llvm/Support/raw_ostream.h>

#include <optional>
#include <string>

namespace retest {

struct ExplanationStyle {
  bool colour = false;
  bool showsAll = false; ///< else a few reasons
};

/// What a skipped test came nearest to that entered no function with dangerous edges.
struct NearestFunction {
  std::string function, path; ///< that it entered
  std::uint32_t line = 0;
  std::string changed;        ///< the function in the same file that has dangerous edges
  std::uint32_t distance = 0; ///< from there to what changed, in lines
};

/// Why a test is selected, from the change to the test, or why it is not:
///
///     calc_test::Add.Negative is selected: affected
///       change   code changed at calc.cpp:5
///       edge     add(int, int): a < 0 -T-> b + a
///       probe    crossed by this test when 3f2a was recorded
///          4   if (a < 0)
///     *  -5     return b + a;
///     ...
void explainTest(llvm::raw_ostream &out, const SelectionReport &report, const ReportedTest &test,
                 const std::optional<NearestFunction> &nearest, const ExplanationStyle &style);

/// Which tests the changes in a file, or on a line of it, speak for; none of them if it is no
/// reason for a test. Line 0: anywhere in the file.
void explainChange(llvm::raw_ostream &out, const SelectionReport &report, llvm::StringRef path,
                   std::uint32_t line, const ExplanationStyle &style);

} // namespace retest
