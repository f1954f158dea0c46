#pragma once

#include "build/made_files.h"
#include "support/fingerprint.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace retest {

/// Lets CMake or Meson configure the build directory again if something that it was made from has
/// changed, as a build would do first; or if files of the project came or went, of which a build
/// takes no notice though the project may look for them (`file(GLOB)`). A directory that neither
/// CMake nor Meson made is taken as it is.
llvm::Error updateBuildDescription(const ProjectPaths &paths);

/// CMake or Meson was run when the project had files of these names (fileNamesOf).
void rememberFileNames(Fingerprint names, const ProjectPaths &paths);

/// Brings the build directory up to date as far as that can be done without compiling tests: its
/// description, then sources that are generated (makeSources, to which `inputs` go).
llvm::Expected<MadeFiles>
updateBuildDirectory(const ProjectPaths &paths,
                     llvm::function_ref<std::vector<std::string>()> inputs);

} // namespace retest
