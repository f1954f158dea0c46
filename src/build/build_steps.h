#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace retest {

/// What a command of the build puts somewhere.
struct BuildCopy {
  std::string from;    ///< empty: nothing is copied, a directory is made
  std::string to;      ///< the copy itself, not the directory that it goes to
  bool isTree = false; ///< with all that is below

  auto operator<=>(const BuildCopy &) const = default;
};

/// A command that the build runs for the project and that does not only compile, link or find
/// tests.
struct BuildStep {
  std::string text;
  /// Nobody knows what it writes, besides what the build tool was told.
  bool isOpaque = true;
  /// What it does if it is not opaque. Paths are absolute. Where it depends on what is there
  /// whether something is copied to a place or into it, both are told: only one can come about.
  std::vector<BuildCopy> copies = {};

  auto operator<=>(const BuildStep &) const = default;
};

/// The steps of a line of shell that the build tool runs in `directory`:
///
///     cd /b && cmake -E copy /s/a.txt data && tool > x    a copy from /s/a.txt to /b/data (or
///                                                          /b/data/a.txt), and an opaque step
///
/// Steps that write nothing (`cd`, `cmake -E echo`) and those that find the tests of a program are
/// left out.
std::vector<BuildStep> stepsOf(llvm::StringRef line, const std::string &directory);

} // namespace retest
