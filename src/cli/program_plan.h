#pragma once

#include "build/link_plan.h"
#include "graph/program_plan.h"

namespace retest {

/// What the build links, in terms of the graph. Reads the files of the project that are linked and
/// are no units, or the sources that they are made from; the content of one that is missing is
/// not known.
ProgramPlan programPlanOf(const LinkPlan &links, const ProjectPaths &paths, Names &names);

} // namespace retest
