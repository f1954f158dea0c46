#pragma once

#include "build/made_files.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace retest {

/// Brings the build directory up to date as far as that can be done without compiling tests: what a
/// build would do first.
///
/// CMake configures it again if something that it was made from has changed; or if sources came or
/// went, which a build does not see if the project finds them by `file(GLOB)`. Then generated
/// sources are made (makeSources, to which `inputs` go). A directory that CMake did not make is
/// taken as it is.
llvm::Expected<MadeFiles>
updateBuildDirectory(const ProjectPaths &paths,
                     llvm::function_ref<std::vector<std::string>()> inputs);

} // namespace retest
