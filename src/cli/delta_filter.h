#pragma once

#include "cli/project_version.h"
#include "diff/delta.h"

namespace retest {

/// The part of a delta that concerns the functions which `what` names, or which its file defines,
/// in either version. What concerns whole programs, and doubts, stay. An error of kind Usage if
/// neither version has such a function.
llvm::Expected<Delta> restrictedTo(const std::string &what, Delta delta,
                                   const ProjectVersion &baseline, const ProjectVersion &current,
                                   const Names &names);

} // namespace retest
