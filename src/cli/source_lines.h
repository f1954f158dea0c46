#pragma once

#include "build/project_paths.h"
#include "report/graph_view.h"

namespace retest {

/// The lines of the project's files as they are now, each file read once.
SourceLines sourceLinesOf(const ProjectPaths &paths);

} // namespace retest
