#pragma once

#include "build/project_paths.h"
#include "db/store.h"

namespace retest {

/// The store of the project, to read.
llvm::Expected<Store> openStore(const ProjectPaths &paths);

/// The name of the baseline that the user means by `typed`: the name itself or its beginning, or
/// any word that git understands for the commit it was recorded at.
llvm::Expected<std::string> findBaseline(Store &store, const ProjectPaths &paths,
                                         const std::string &typed);

} // namespace retest
