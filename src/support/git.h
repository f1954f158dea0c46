#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// Where a work tree stands.
struct GitState {
  std::string commit;                 ///< of HEAD; empty before the first commit
  bool isDirty = false;               ///< tracked files differ from it
  std::vector<std::string> untracked; ///< neither tracked nor ignored; relative to `directory`
};

/// Nothing if `directory` is in no work tree. An error if git cannot be started or refuses.
llvm::Expected<std::optional<GitState>> gitState(llvm::StringRef directory);

/// The commit that `revision` ("HEAD~1", a tag, a branch) names; nothing if it names none, or there
/// is no repository here.
std::optional<std::string> gitCommit(llvm::StringRef directory, llvm::StringRef revision);

/// Whether the commit is `of` or comes before it. Not known in a clone that is too shallow: no.
bool isInHistory(llvm::StringRef directory, const std::string &commit,
                 const std::string &of = "HEAD");

/// The newest commit that HEAD and another commit both come from; nothing if there is none.
std::optional<std::string> mergeBase(llvm::StringRef directory, const std::string &commit);

/// The files below `directory`, relative to it, that differ from the commit or are not in it; those
/// that git ignores are left out. A submodule that differs is one path. Nothing if there is no such
/// commit here.
std::optional<std::vector<std::string>> filesChangedSince(llvm::StringRef directory,
                                                          const std::string &commit);

/// All files below `directory` that git knows or would add; relative to it. Nothing if it is in no
/// work tree.
std::optional<std::vector<std::string>> filesOfWorkTree(llvm::StringRef directory);
/// Those that git knows.
std::optional<std::vector<std::string>> trackedFiles(llvm::StringRef directory);
/// What is there and git ignores: files, and directories as a whole with a slash behind.
std::optional<std::vector<std::string>> ignoredFiles(llvm::StringRef directory);

} // namespace retest
