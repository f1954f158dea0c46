#pragma once

#include "build/project_paths.h"

#include <map>

namespace retest {

/// The CMake targets that make the files of a build directory, by these files as
/// ProjectPaths::nameOf gives them. From the newest reply of CMake's file API, which `retest init`
/// asks for.
llvm::Expected<std::map<std::string, std::string>> cmakeTargets(const ProjectPaths &paths);

} // namespace retest
