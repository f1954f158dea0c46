#pragma once

#include "build/project_paths.h"
#include "cli/context.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

namespace retest {

/// Brings the build directory up to date with `cmake --build`; what the build says goes to standard
/// error, unless all is quiet. With `targets` only these. An error with exit code 5 if it fails.
llvm::Error buildProject(const ProjectPaths &paths, unsigned jobs, Context &context,
                         llvm::ArrayRef<std::string> targets = {});

/// Whether we know how to build: in a directory of CMake. Others have to be built by the user.
bool canBuild(const ProjectPaths &paths);

} // namespace retest
