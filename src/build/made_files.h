#pragma once

#include "build/build_steps.h"
#include "build/project_paths.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// The files that a build makes by the project's own commands: generated sources, data of tests.
/// Only what CMake or Meson was told of: what such commands make besides, nobody knows.
struct MadeFiles {
  std::vector<std::string> outputs = {}; ///< absolute, with links on the way resolved; sorted
  /// How ninja calls outputs that it reaches through a link.
  llvm::StringMap<std::string> spelled = {};
  std::string ninja = {}; ///< the program; empty: another tool builds
  /// What ninja has to make before it can compile: all that stands before objects in its order.
  std::vector<std::string> sourceTargets = {};
  /// The project's own commands, sorted. They may make files besides what they tell: those behind a
  /// link tell nothing. Of make all that it runs; of other tools they are not known.
  std::vector<BuildStep> steps = {};
  /// What a build of everything makes; empty: what ninja makes by default.
  std::vector<std::string> allTargets = {};
  std::vector<std::string> tools = {}; ///< compilers, archivers: programs of ninja's rules, sorted

  /// `output` as ninja writes it.
  void add(const std::string &output, const std::string &buildDirectory);
  bool contains(const std::string &path) const;
  /// How ninja calls an output.
  std::string nameOf(const std::string &path, const std::string &buildDirectory) const;
  bool mayHaveCommands() const { return ninja.empty() || !steps.empty() || !outputs.empty(); }
};

/// Reads them from the files that CMake and Meson write for ninja and make; none for others.
MadeFiles readMadeFiles(const std::string &buildDirectory);

/// What ninja has to be asked for, so that these are there: sourceTargets, and those of `inputs`
/// (absolute paths that units read) that a command makes. Empty: nothing, or another tool builds.
std::vector<std::string> sourcesToMake(const MadeFiles &made, const ProjectPaths &paths,
                                       llvm::ArrayRef<std::string> inputs);

/// Makes what sources are generated, as far as it is out of date: what a build would do first.
///
/// An error if that fails; or if another tool than ninja builds, one of `inputs` is made by the
/// build or lies in its directory, and something in the project is newer. A build in the source
/// directory itself is taken as it is.
llvm::Error makeSources(const MadeFiles &made, const ProjectPaths &paths,
                        llvm::ArrayRef<std::string> inputs);

/// Those of the files (absolute, sorted) that the next build would make anew: something that they
/// are made from, a tool of the project included, is newer. With another tool than ninja, all.
std::vector<std::string> outdatedFiles(const MadeFiles &made, const ProjectPaths &paths,
                                       const std::vector<std::string> &files);

/// What the next build would run of the project's own commands: one of each kind, by its text,
/// which is empty if nobody tells. Nothing: none would run.
struct StepsToRun {
  std::optional<std::string> any = {};
  std::optional<std::string> opaque = {};
};

/// In doubt, and for other tools than ninja, both. Steps that somebody knows to be harmless are
/// left out.
StepsToRun stepsToRun(const MadeFiles &made, const std::string &buildDirectory,
                      llvm::function_ref<bool(llvm::StringRef)> isHarmless);

} // namespace retest
