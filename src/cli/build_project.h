#pragma once

#include "build/link_plan.h"
#include "build/project_paths.h"
#include "cli/context.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

namespace retest {

/// Brings the build directory up to date, all of it; what the build says goes to standard error,
/// unless all is quiet. With `targets` of CMake only these. An error with exit code 5 if it fails.
llvm::Error buildProject(const ProjectPaths &paths, unsigned jobs, Context &context,
                         llvm::ArrayRef<std::string> targets = {});

/// Brings programs and libraries up to date that are there, though a build of everything leaves
/// them out (EXCLUDE_FROM_ALL): a test may run them. What is not there stays so. If
/// nobody tells which targets make them (canBuildOthers), nothing is done: checkBuilt tells.
llvm::Error buildOthers(const ProjectPaths &paths, const LinkPlan &links, unsigned jobs,
                        Context &context);

/// Whether buildOthers can do it.
bool canBuildOthers(const ProjectPaths &paths, const LinkPlan &links);

/// Whether we know how to build: in a directory of CMake or Meson. Others have to be built by the
/// user.
bool canBuild(const ProjectPaths &paths);

} // namespace retest
