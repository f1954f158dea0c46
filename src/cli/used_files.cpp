#include "cli/used_files.h"

#include "cli/build_files.h"
#include "config/glob.h"
#include "run/observed_files.h"
#include "select/shared_files.h"

#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace retest {
namespace {

/// How a file has changed, and, if that is not known, the command that may have made it anew.
struct Change {
  FileChangeKind kind;
  std::string command = {};
};

/// By index of the use.
using Changes = std::vector<std::optional<Change>>;

class UsedFiles {
public:
  UsedFiles(const MadeFiles &made, const ProjectPaths &paths, FileStates &states,
            const Config &config)
      : made_(made), paths_(paths), states_(states), config_(config) {}

  Changes changesOf(llvm::ArrayRef<StoredFileUse> uses) {
    Changes changes(uses.size());
    compare(uses, changes);
    addMadeAnew(uses, changes);
    addNotKnown(uses, changes);
    return changes;
  }

private:
  /// With the files as they are.
  void compare(llvm::ArrayRef<StoredFileUse> uses, Changes &changes) {
    for (auto [use, change] : llvm::zip_equal(uses, changes))
      if (!isAsUsed(use.use, paths_.pathOf(use.use.path), states_))
        change = {FileChangeKind::Other};
  }

  /// What the build tool was told of, and would make.
  void addMadeAnew(llvm::ArrayRef<StoredFileUse> uses, Changes &changes) const {
    std::vector<std::string> made;
    for (auto [use, change] : llvm::zip_equal(uses, changes))
      if (!change && use.use.kind != FileUseKind::Written)
        if (std::string path = paths_.pathOf(use.use.path); made_.contains(path))
          made.push_back(path);
    llvm::sort(made);
    std::vector<std::string> outdated = outdatedFiles(made_, paths_, made);
    for (auto [use, change] : llvm::zip_equal(uses, changes))
      if (!change && use.use.kind != FileUseKind::Written &&
          std::binary_search(outdated.begin(), outdated.end(), paths_.pathOf(use.use.path)))
        change = {FileChangeKind::MadeAnew};
  }

  /// What the build may make besides.
  void addNotKnown(llvm::ArrayRef<StoredFileUse> uses, Changes &changes) const {
    std::vector<FileOrigin> origins = originsOf(uses, made_, paths_);
    if (llvm::all_of(origins, [](FileOrigin origin) { return origin == FileOrigin::Told; }))
      return;
    StepsToRun steps = stepsOfNextBuild();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (changes[i] || uses[i].use.kind == FileUseKind::Written)
        continue;
      if (origins[i] == FileOrigin::Silent && steps.opaque)
        changes[i] = {FileChangeKind::NotKnown, *steps.opaque};
      else if (origins[i] == FileOrigin::Unclear && steps.any)
        changes[i] = {FileChangeKind::NotKnown, *steps.any};
    }
  }

  StepsToRun stepsOfNextBuild() const {
    return stepsToRun(made_, paths_.build, [this](llvm::StringRef command) {
      return llvm::any_of(config_.harmless, [&](const ConfigPattern &pattern) {
        return matchesName(pattern.text, command);
      });
    });
  }

  const MadeFiles &made_;
  const ProjectPaths &paths_;
  FileStates &states_;
  const Config &config_;
};

} // namespace

llvm::Expected<UsedFileChanges> usedFileChanges(StoredCoverage &coverage, const MadeFiles &made,
                                                const ProjectPaths &paths, FileStates &states,
                                                const Config &config) {
  llvm::Expected<std::vector<StoredFileUse>> uses = coverage.files();
  if (!uses)
    return uses.takeError();
  bool anyWritten = llvm::any_of(
      *uses, [](const StoredFileUse &use) { return use.use.kind == FileUseKind::Written; });
  Changes changes = UsedFiles(made, paths, states, config).changesOf(*uses);
  UsedFileChanges result;
  std::vector<UsedFile> used;
  for (auto [use, change] : llvm::zip_equal(*uses, changes)) {
    if (!change && !anyWritten)
      continue;
    llvm::Expected<std::vector<TestId>> users = coverage.users(use.users);
    if (!users)
      return users.takeError();
    if (change)
      result.changed.push_back(
          {use.use.kind, use.use.path, *users, change->kind, std::move(change->command)});
    used.push_back({use.use.kind, use.use.path, std::move(*users)});
  }
  if (anyWritten)
    result.shared = sharedFiles(used);
  return result;
}

} // namespace retest
