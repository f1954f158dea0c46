#pragma once

#include "build/project_paths.h"

#include <llvm/Support/Error.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retest {

/// A target of CMake.
struct BuildTarget {
  std::string name;
  std::vector<std::string> files;  ///< what it makes, as ProjectPaths::nameOf gives it
  std::vector<std::string> needed; ///< ids of targets that are built before it
};

/// What the build directory can make, by the id that CMake gives to each target.
using BuildTargets = std::map<std::string, BuildTarget>;

/// Read from the newest reply of CMake's file API. An error if there is none, or not all of it can
/// be read, or there are several configurations: then only building everything is sure.
llvm::Expected<BuildTargets> readBuildTargets(const ProjectPaths &paths);

/// Targets that make a set of files, and all that is brought up to date with them.
struct ChosenTargets {
  std::vector<std::string> names;   ///< of targets, sorted
  std::set<std::string> files;      ///< of these targets and of all that they need
  std::vector<std::string> unknown; ///< files that no target makes
};

/// A library may be known by its link (libx.so) or by the file that it leads to (libx.so.1.2).
ChosenTargets targetsMaking(const BuildTargets &targets, const std::set<std::string> &files);

} // namespace retest
