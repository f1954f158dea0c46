#pragma once

#include "build/made_files.h"
#include "db/stored_coverage.h"
#include "support/file_state.h"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace retest {

// What tests read in the build directory may change when the project is built, and nobody builds to
// select tests. Where it comes from decides who tells:
//
//     a command that CMake knows     the build tool (MadeFiles::outputs)
//     a copy of another file         the original (BuildStep::copies)
//     any other command              nobody, but ninja tells whether it would run (StepsToRun)
//     CMake itself, configure_file   nobody has to: CMake has run if it is needed
//     a test                         see shared_files.h; a command may make it as well

/// Whether a file that a test used in this way could be one that the build makes. `name` is as
/// ProjectPaths::nameOf gives it; binaries are not asked about. A library that is looked for in
/// vain is none: what the build links is known.
bool mayBeMadeByBuild(FileUseKind kind, llvm::StringRef name);

/// Adds the originals to tests that use copies: what they read, list, or look for in vain.
void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states);

/// Who tells that the next build makes another file of what a test has used.
enum class FileOrigin : std::uint8_t {
  Told,    ///< somebody does, or the build does not touch it
  Silent,  ///< nobody, if an opaque command runs
  Unclear, ///< nobody, if a command runs: it was not copied, or from elsewhere, when it was
           ///< recorded
};

/// By index of the uses.
std::vector<FileOrigin> originsOf(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                  const ProjectPaths &paths);

} // namespace retest
