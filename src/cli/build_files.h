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
//     a command that CMake knows     the build tool (MadeFiles)
//     CMake itself, configure_file   nobody has to: CMake has run if it is needed
//     a test                         see shared_files.h
//     a file of the project          copied by a command behind a link, say: the original
//     anything else                  nobody

/// Whether a file that a test used in this way could be one that the build makes. `name` is as
/// ProjectPaths::nameOf gives it; binaries are not asked about. A library that is looked for in
/// vain is none: what the build links is known.
bool mayBeMadeByBuild(FileUseKind kind, llvm::StringRef name);

/// Adds the originals to tests that read or list copies. An original has the name and the content
/// of the copy, and lies in the project.
void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states);

/// Whether nobody tells when a file changes that tests read or list, by index.
std::vector<bool> areOfUnknownOrigin(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                     const ProjectPaths &paths);

} // namespace retest
