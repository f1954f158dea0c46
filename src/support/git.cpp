#include "support/git.h"

#include "support/process.h"

#include <llvm/ADT/SmallVector.h>

namespace retest {

std::optional<GitState> gitState(llvm::StringRef directory) {
  llvm::Expected<ProcessResult> status =
      runProcess({.arguments = {"git", "--no-optional-locks", "status", "--porcelain=v2",
                                "--branch", "--untracked-files=no", "--ignore-submodules=none"},
                  .directory = directory.str()});
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  if (!status->succeeded())
    return std::nullopt;
  GitState state;
  llvm::SmallVector<llvm::StringRef, 16> lines;
  llvm::StringRef(status->output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (!line.starts_with("#"))
      state.isDirty = true;
    else if (line.consume_front("# branch.oid ") && line != "(initial)")
      state.commit = line.str();
  }
  return state;
}

} // namespace retest
