#pragma once

#include "build/project_paths.h"
#include "db/store.h"

#include <string>
#include <vector>

namespace retest {

/// The files of the project that may be others than when a baseline was recorded, relative to the
/// root; sorted. Files that git ignores are left out, and so is the build directory.
///
/// If the tree was that of a commit, they are what differs from it, with all that it does not have.
/// Else nobody knows what the files held, and those count as well that were touched since. Without
/// that commit, or git, only these.
std::vector<std::string> changedFiles(const ProjectPaths &paths, const BaselineInfo &baseline);

} // namespace retest
