#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>

namespace retest {

struct BuildDirectory {
  std::string path; ///< absolute and real; holds a compile_commands.json
  std::string note; ///< which others there were, for the user; empty if it was the only one
};

/// Finds the build directory of the project around `startDirectory`, as clang tools do.
///
/// Each directory from there upwards is asked for, in this order: a compile_commands.json (a link
/// leads to the build directory); then build, builddir, build-*, cmake-build-*, out, their
/// subdirectories and the `binaryDir` of its CMake presets, of which one that `retest init`
/// prepared wins, else the newest compile_commands.json. A directory that CMake configured for
/// other sources, such as a neighbour's, is passed over.
llvm::Expected<BuildDirectory> findBuildDirectory(llvm::StringRef startDirectory);

} // namespace retest
