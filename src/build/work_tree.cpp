#include "build/work_tree.h"
#include "build/paths.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// A submodule's `.git` is a file that names ".git/modules/<name>" of the superproject. A linked
/// work tree has such a file too, but its directory holds `commondir`; that also tells apart the
/// submodule of a linked work tree (".git/worktrees/<tree>/modules/<name>") and the linked work
/// tree of a submodule (".git/modules/<name>/worktrees/<tree>").
bool isSubmodule(llvm::StringRef tree, llvm::StringRef gitFile) {
  auto text = llvm::MemoryBuffer::getFile(gitFile);
  if (!text)
    return false;
  llvm::StringRef target = (*text)->getBuffer().trim();
  if (!target.consume_front("gitdir:"))
    return false;
  std::string gitDirectory = absolutePath(tree, target.trim());
  return llvm::StringRef(gitDirectory).contains("/modules/") &&
         !llvm::sys::fs::exists(joinPath(gitDirectory, "commondir"));
}

} // namespace

std::optional<std::string> workTreeOf(llvm::StringRef directory) {
  std::optional<std::string> innermost;
  for (llvm::StringRef tree = directory; !tree.empty(); tree = llvm::sys::path::parent_path(tree)) {
    std::string git = joinPath(tree, ".git");
    if (!llvm::sys::fs::exists(git))
      continue;
    if (llvm::sys::fs::is_directory(git) || !isSubmodule(tree, git))
      return tree.str();
    if (!innermost)
      innermost = tree.str();
  }
  return innermost;
}

} // namespace retest
