#pragma once

#include "report/graph_view.h"

namespace retest {

/// The source from the beginning of a range to the end of its last token, on one line. Empty if
/// the source is not known.
std::string sourceText(const SourceLines &lines, const SourceRange &range, const Names &names);

} // namespace retest
