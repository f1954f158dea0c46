#pragma once

#include "build/project_paths.h"
#include "support/fingerprint.h"

namespace retest {

/// Of the names of the project's files, apart from build directories and what editors leave for the
/// moment.
///
/// What CMake makes of a project may depend on them (`file(GLOB)`, `if(EXISTS)`), and no file that
/// it was given tells when one comes or goes. Files that git ignores count if they may be sources.
Fingerprint fileNamesOf(const ProjectPaths &paths);

} // namespace retest
