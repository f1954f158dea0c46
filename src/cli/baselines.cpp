#include "cli/baselines.h"

#include "cli/tree.h"
#include "support/git.h"

namespace retest {

llvm::Expected<Store> openStore(const ProjectPaths &paths) {
  return Store::open(storePath(paths), OpenMode::Read);
}

llvm::Expected<std::string> findBaseline(Store &store, const ProjectPaths &paths,
                                         const std::string &typed) {
  if (typed.empty())
    return typed;
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
    for (const BaselineInfo &info : *known) // newest first
      if (info.commit == *commit)
        return info.name;
  }
  return typed; // the store knows shortened names, and says what it holds
}

} // namespace retest
