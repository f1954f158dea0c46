#pragma once

#include "build/project_paths.h"

#include <llvm/Support/Error.h>

namespace retest {

/// Lets CMake configure the build directory again if something that it was made from has changed,
/// as a build would do first; or if sources came or went, which a build does not see if the project
/// finds them by `file(GLOB)`. Nothing is compiled. A directory that CMake did not make is taken as
/// it is.
llvm::Error updateBuildDescription(const ProjectPaths &paths);

} // namespace retest
