#pragma once

#include "build/made_files.h"
#include "db/stored_coverage.h"
#include "support/file_state.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringSet.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

// What tests read may change when the project is built, and nobody builds to select tests. Where it
// comes from decides who tells:
//
//     a command that the tool knows  the build tool (MadeFiles::outputs)
//     any other command              nobody, but ninja tells whether it would run (StepsToRun)
//     a command that only copies     the original (BuildStep::copies), if no other one would run
//     CMake or Meson itself          nobody has to: it has run if it is needed
//     a test                         see shared_files.h; a command may make it as well

/// Which files the build may make: those in its directory, and those of the project that git does
/// not have. Binaries are not asked about.
class BuiltFiles {
public:
  explicit BuiltFiles(const ProjectPaths &paths);

  /// Whether a file that a test used in this way could be one. `name` is as ProjectPaths::nameOf
  /// gives it. A library that is looked for in vain is none: what the build links is known.
  bool mayContain(FileUseKind kind, llvm::StringRef name) const;

private:
  bool isTracked(llvm::StringRef name) const;

  std::string root_;
  bool isInSource_; ///< the build directory is around the source
  /// Asked for when it is needed; nothing inside: there is no git.
  mutable std::optional<std::optional<llvm::StringSet<>>> tracked_ = {};
};

/// Adds the originals to tests that use copies: what they read, list, or look for in vain.
void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states);

/// Who tells that the next build makes another file of what a test has used.
enum class FileOrigin : std::uint8_t {
  Told,    ///< the build tool does, or the build does not touch it
  Silent,  ///< its original, if there is one; nobody, if an opaque command runs
  Unclear, ///< nobody, if a command runs: it would be copied from where it was not when recorded
};

/// By index of the uses.
std::vector<FileOrigin> originsOf(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                  const ProjectPaths &paths);

} // namespace retest
