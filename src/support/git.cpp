#include "support/git.h"

#include "support/error.h"
#include "support/process.h"

#include <llvm/ADT/SmallVector.h>

namespace retest {

llvm::Expected<std::optional<GitState>> gitState(llvm::StringRef directory) {
  llvm::Expected<ProcessResult> status =
      runProcess({.arguments = {"git", "--no-optional-locks", "-c", "status.relativePaths=true",
                                "status", "-z", "--porcelain=v2", "--branch",
                                "--untracked-files=all", "--ignore-submodules=none"},
                  .directory = directory.str(),
                  .environment = {{"LC_ALL", "C"}}});
  if (!status)
    return status.takeError();
  if (!status->succeeded()) {
    if (llvm::StringRef(status->errors).contains("not a git repository"))
      return std::nullopt;
    return error("{}: git status: {}", directory.str(),
                 llvm::StringRef(status->errors).trim().str());
  }
  GitState state;
  llvm::SmallVector<llvm::StringRef, 16> entries;
  llvm::StringRef(status->output).split(entries, '\0', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef entry : entries) {
    if (entry.consume_front("? "))
      state.untracked.push_back(entry.str());
    else if (!entry.starts_with("#"))
      state.isDirty = true;
    else if (entry.consume_front("# branch.oid ") && entry != "(initial)")
      state.commit = entry.str();
  }
  return state;
}

namespace {

/// What git prints if it succeeds.
std::optional<std::string> askGit(llvm::StringRef directory, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "git");
  llvm::Expected<ProcessResult> result = runProcess({.arguments = std::move(arguments),
                                                     .directory = directory.str(),
                                                     .environment = {{"LC_ALL", "C"}}});
  if (!result) {
    llvm::consumeError(result.takeError());
    return std::nullopt;
  }
  if (!result->succeeded())
    return std::nullopt;
  return llvm::StringRef(result->output).trim().str();
}

} // namespace

std::optional<std::string> gitCommit(llvm::StringRef directory, llvm::StringRef revision) {
  return askGit(directory, {"rev-parse", "--verify", "--quiet", "--end-of-options",
                            (revision + "^{commit}").str()});
}

bool isInHistory(llvm::StringRef directory, const std::string &commit, const std::string &of) {
  return askGit(directory, {"merge-base", "--is-ancestor", "--end-of-options", commit, of})
      .has_value();
}

std::optional<std::string> mergeBase(llvm::StringRef directory, const std::string &commit) {
  return askGit(directory, {"merge-base", "--end-of-options", "HEAD", commit});
}

} // namespace retest
