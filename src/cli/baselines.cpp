#include "cli/baselines.h"

#include "cli/tree.h"
#include "support/git.h"

namespace retest {

llvm::Expected<Store> openStore(const ProjectPaths &paths) {
  return Store::open(storePath(paths), OpenMode::Read);
}

llvm::Expected<std::string> findBaseline(Store &store, const ProjectPaths &paths,
                                         const std::string &typed) {
  llvm::Expected<std::vector<BaselineInfo>> known = store.listBaselines();
  if (!known)
    return known.takeError();
  auto isNamed = [&](const std::string &name) {
    return llvm::any_of(*known, [&](const BaselineInfo &info) { return info.name == name; });
  };
  if (isNamed(typed))
    return typed;
  if (std::optional<std::string> commit = gitCommit(paths.root, typed)) {
    if (isNamed(*commit))
      return *commit;
    // Newest first. What was recorded from an edited tree is not that commit.
    for (const BaselineInfo &info : *known)
      if (info.commit == *commit && !llvm::StringRef(info.name).ends_with("-dirty"))
        return info.name;
  }
  return typed; // the store knows shortened names, and says what it holds
}

} // namespace retest
