#pragma once

#include "build/project_paths.h"
#include "support/fingerprint.h"

namespace retest {

/// Of the names of the project's files and directories, apart from those of builds and what editors
/// leave for the moment.
///
/// What CMake makes of a project may depend on them (`file(GLOB)`, `if(EXISTS)`), and no file that
/// it was given tells when one comes or goes. Directories that git ignores are not looked into;
/// files that it ignores count if they may be sources.
Fingerprint fileNamesOf(const ProjectPaths &paths);

} // namespace retest
