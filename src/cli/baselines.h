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

/// The name of the baseline whose recorded tests a selection starts from. With `typed`: the one of
/// that name, else the newest at a commit that HEAD and the commit `typed` both come from. Without:
/// the newest in the history of HEAD. If there is none, the newest of all serves as well, since
/// what is compared is content: `note` says so then.
struct ChosenBaseline {
  std::string name, note;
};
llvm::Expected<ChosenBaseline> chooseBaseline(Store &store, const ProjectPaths &paths,
                                              const std::string &typed);

} // namespace retest
