#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace retest {

/// The top level of the git work tree around `directory`. A submodule counts as a part of its
/// superproject; a linked work tree (`git worktree add`) stands for itself. Reads `.git` and
/// starts no process.
std::optional<std::string> workTreeOf(llvm::StringRef directory);

} // namespace retest
