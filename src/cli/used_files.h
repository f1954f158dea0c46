#pragma once

#include "build/made_files.h"
#include "config/config.h"
#include "db/stored_coverage.h"
#include "select/select_tests.h"
#include "support/file_state.h"

#include <vector>

namespace retest {

/// What is to be said about the files that the recorded tests used.
struct UsedFileChanges {
  std::vector<FileChange> changed;
  std::vector<SharedFile> shared;
};

/// Which of them are not what they were, or will not be when the project is built. Commands that
/// the project calls harmless do not count.
llvm::Expected<UsedFileChanges> usedFileChanges(StoredCoverage &coverage, const MadeFiles &made,
                                                const ProjectPaths &paths, FileStates &states,
                                                const Config &config);

} // namespace retest
