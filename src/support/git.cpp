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
  return std::move(result->output);
}

std::optional<std::string> trimmed(std::optional<std::string> text) {
  if (text)
    text = llvm::StringRef(*text).trim().str();
  return text;
}

std::vector<std::string> splitAtZeros(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  text.split(parts, '\0', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

} // namespace

std::optional<std::string> gitCommit(llvm::StringRef directory, llvm::StringRef revision) {
  return trimmed(askGit(directory, {"rev-parse", "--verify", "--quiet", "--end-of-options",
                                    (revision + "^{commit}").str()}));
}

bool isInHistory(llvm::StringRef directory, const std::string &commit, const std::string &of) {
  return askGit(directory, {"merge-base", "--is-ancestor", "--end-of-options", commit, of})
      .has_value();
}

std::optional<std::string> mergeBase(llvm::StringRef directory, const std::string &commit) {
  return trimmed(askGit(directory, {"merge-base", "--end-of-options", "HEAD", commit}));
}

std::optional<std::vector<std::string>> filesChangedSince(llvm::StringRef directory,
                                                          const std::string &commit) {
  std::optional<std::string> differing =
      askGit(directory, {"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative",
                         "--ignore-submodules=none", "--end-of-options", commit, "--"});
  std::optional<std::string> others =
      askGit(directory, {"ls-files", "-z", "--others", "--exclude-standard"});
  if (!differing || !others)
    return std::nullopt;
  std::vector<std::string> files = splitAtZeros(*differing);
  for (std::string &file : splitAtZeros(*others))
    files.push_back(std::move(file));
  return files;
}

namespace {

std::optional<std::vector<std::string>> listFiles(llvm::StringRef directory,
                                                  std::vector<std::string> options) {
  options.insert(options.begin(), {"ls-files", "-z"});
  std::optional<std::string> files = askGit(directory, options);
  if (!files)
    return std::nullopt;
  return splitAtZeros(*files);
}

} // namespace

std::optional<std::vector<std::string>> filesOfWorkTree(llvm::StringRef directory) {
  return listFiles(directory, {"--cached", "--others", "--exclude-standard"});
}

std::optional<std::vector<std::string>> trackedFiles(llvm::StringRef directory) {
  return listFiles(directory, {"--cached"});
}

std::optional<std::vector<std::string>> ignoredFiles(llvm::StringRef directory) {
  return listFiles(directory, {"--others", "--ignored", "--exclude-standard", "--directory"});
}

} // namespace retest
