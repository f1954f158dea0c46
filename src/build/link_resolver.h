#pragma once

#include "build/link_sources.h"

namespace retest {

/// Joins link commands with units and with each other: what a command names as a file becomes a
/// unit, another binary, a file of the project or something outside.
LinkPlan resolveLinks(const LinkLines &lines, const CompileDatabase &database,
                      const ProjectPaths &paths);

} // namespace retest
