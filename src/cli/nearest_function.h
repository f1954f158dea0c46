#pragma once

#include "build/project_paths.h"
#include "report/explanation.h"

#include <optional>

namespace retest {

/// Of a skipped test that entered no function with dangerous edges: the function nearest to one of
/// them that it did enter, in the same file. Nothing: none in the files that changed.
llvm::Expected<std::optional<NearestFunction>>
findNearest(const ProjectPaths &paths, const SelectionReport &report, const ReportedTest &test);

} // namespace retest
