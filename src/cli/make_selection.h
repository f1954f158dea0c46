#pragma once

#include "cli/tree.h"
#include "diff/granularity.h"
#include "report/selection_report.h"

namespace retest {

struct SelectionOptions {
  TreeOptions tree;
  std::string base; ///< a baseline, or a commit; empty: choose
  Granularity granularity = Granularity::Edges;
};

/// Which tests the tree as it is asks for. An error is a mistake of the user's; whatever else goes
/// wrong selects all tests, and the report says why.
llvm::Expected<SelectionReport> makeSelection(const SelectionOptions &options, Context &context);

} // namespace retest
