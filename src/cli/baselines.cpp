#include "cli/baselines.h"

#include "cli/tree.h"
#include "support/error.h"
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

llvm::Expected<ChosenBaseline> chooseBaseline(Store &store, const ProjectPaths &paths,
                                              const std::string &typed) {
  llvm::Expected<std::vector<BaselineInfo>> recorded = store.listRecorded();
  if (!recorded)
    return recorded.takeError();
  if (recorded->empty())
    return error(ErrorKind::Store, "{}: no tests were recorded yet; 'retest record' does it",
                 storePath(paths));
  for (const BaselineInfo &info : *recorded)
    if (info.name == typed)
      return ChosenBaseline{typed, ""};
  std::string newest = "HEAD";
  if (!typed.empty()) {
    std::optional<std::string> commit = gitCommit(paths.root, typed);
    if (!commit) {
      // The store knows shortened names, and says what it holds.
      llvm::Expected<std::string> name = findBaseline(store, paths, typed);
      if (!name)
        return name.takeError();
      llvm::Expected<BaselineIndex> index = store.loadIndex(*name);
      if (!index)
        return index.takeError();
      return ChosenBaseline{index->info.name, ""};
    }
    newest = mergeBase(paths.root, *commit).value_or(*commit);
  }
  for (const BaselineInfo &info : *recorded)
    if (!info.commit.empty() && isInHistory(paths.root, info.commit, newest))
      return ChosenBaseline{info.name, ""};
  const BaselineInfo &last = recorded->front();
  if (last.commit.empty() && typed.empty())
    return ChosenBaseline{last.name, ""};
  return ChosenBaseline{last.name, fmt::format("no baseline is in the history of {}; {} serves, "
                                               "the newest of all",
                                               typed.empty() ? "HEAD" : typed, last.name)};
}

} // namespace retest
