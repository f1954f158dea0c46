#pragma once

#include "build/project_paths.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// The files that a build makes by the project's own commands: generated sources, data of tests.
/// Only what CMake was told of: what such commands make besides, nobody knows.
struct MadeFiles {
  std::vector<std::string> outputs = {}; ///< absolute, sorted
  std::string ninja = {};                ///< the program; empty: another tool builds
  /// What ninja has to make before it can compile: all that stands before objects in its order.
  std::vector<std::string> sourceTargets = {};
  /// Some commands tell nobody what they make: those behind a link, for example.
  bool hasSilentCommands = false;

  bool contains(const std::string &path) const;
  /// Whether the project has commands of its own, which may make files besides what they tell. Of
  /// other tools than ninja it is not known.
  bool hasCommands() const { return ninja.empty() || hasSilentCommands || !outputs.empty(); }
  /// Whether ninja has to be asked for sources that are generated.
  bool needsSources() const { return !ninja.empty() && !sourceTargets.empty() && hasCommands(); }
};

/// Reads them from the files that CMake writes for ninja and make; none for others.
MadeFiles readMadeFiles(const std::string &buildDirectory);

/// Makes what sources are generated, as far as it is out of date: what a build would do first.
///
/// An error if that fails; or if another tool than ninja builds, one of `inputs` (absolute paths
/// that units read) is made by the build or lies in its directory, and something in the project is
/// newer. A build in the source directory itself is taken as it is.
llvm::Error makeSources(const MadeFiles &made, const ProjectPaths &paths,
                        llvm::ArrayRef<std::string> inputs);

/// Those of the files (absolute, sorted) that the next build would make anew: something that they
/// are made from, a tool of the project included, is newer.
std::vector<std::string> outdatedFiles(const MadeFiles &made, const ProjectPaths &paths,
                                       const std::vector<std::string> &files);

} // namespace retest
