#pragma once

#include "build/project_paths.h"
#include "report/selection_report.h"

namespace retest {

/// Keeps a selection beside the store, for `retest explain` and `verify`.
llvm::Error saveSelection(const ProjectPaths &paths, const SelectionReport &report);

/// The selection that was made last.
llvm::Expected<SelectionReport> loadSelection(const ProjectPaths &paths);
/// "2025-01-31 12:00:00", here; empty: not known.
std::string timeOfSelection(const ProjectPaths &paths);

} // namespace retest
