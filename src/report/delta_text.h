#pragma once

#include "diff/granularity.h"
#include "report/delta_source.h"

namespace retest {

/// A delta for the terminal: the functions with dangerous edges, file by file, each edge with its
/// reason, and the source that changed in both versions; then what concerns no single function;
/// then what came, went, changed harmlessly or moved; doubts; and a summary in one line.
///
///     src/avg.cpp
///       avg(const char*)  line 12
///         n < 0 -T-> return Error  (code changed at src/avg.cpp:15)
///         ...
///
///     1 function changed, 1 dangerous edge in 1 function
///
/// Long lists are cut, and say so. Nothing but one line if the versions are the same: `same`.
void writeDeltaText(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                    Granularity granularity, llvm::StringRef same, const DeltaTextStyle &style);

} // namespace retest
