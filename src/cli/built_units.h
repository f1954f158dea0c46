#pragma once

#include "cli/tree.h"

namespace retest {

/// Whether the object of each unit is newer than all that the unit was read from, and each binary
/// newer than its objects: else what runs is not what was read. An error names the first that is
/// not. Times are all that is known of a build that somebody else made.
llvm::Error checkBuilt(const Tree &tree, const LinkPlan &links);

} // namespace retest
