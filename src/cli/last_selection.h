#pragma once

#include "build/project_paths.h"
#include "report/selection_report.h"

namespace retest {

/// Keeps a selection beside the store, for `retest explain`. A directory that cannot be written to
/// is no reason to fail.
void saveSelection(const ProjectPaths &paths, const SelectionReport &report);

/// The selection that was made last.
llvm::Expected<SelectionReport> loadSelection(const ProjectPaths &paths);

} // namespace retest
