#pragma once

#include "report/delta_words.h"

#include <llvm/Support/raw_ostream.h>

#include <set>

namespace retest {

/// How a delta is shown on a terminal.
struct DeltaTextStyle {
  bool colour = false;
  unsigned width = 80;   ///< versions stand side by side from 100 columns on
  bool showsAll = false; ///< else long lists are cut
};

/// A function in its two versions, and the lines that dangerous edges are about.
struct FunctionSource {
  FunctionId baseline, current;
  std::set<std::uint32_t> baselineMarks; ///< lines that a dangerous edge enters
  /// Lines at which the change was made; they count where there is no baseline to compare with.
  std::set<std::uint32_t> currentMarks;
};

/// Marks what a dangerous edge of the function is about.
void markLines(const DeltaView &view, const DangerousEdge &edge, FunctionSource &function);

/// The lines that differ or are marked, with one line around them, the baseline at the left:
///
///       14   if (n < 0)                      14   if (n < 0)
///     * 15     return Error;            |    15     std::puts("negative");
///                                       |    16     return Error;
///
/// On a narrow terminal one below the other, as `diff -u` writes it. Nothing if the source of
/// neither version is at hand.
void writeFunctionSource(llvm::raw_ostream &out, const DeltaView &view,
                         const FunctionSource &function, const DeltaTextStyle &style);

} // namespace retest
