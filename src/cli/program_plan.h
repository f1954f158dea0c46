#pragma once

#include "build/link_plan.h"
#include "graph/program_plan.h"

namespace retest {

/// What the build links, in terms of the graph.
ProgramPlan programPlanOf(const LinkPlan &links, Names &names);

} // namespace retest
