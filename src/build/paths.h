#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// `path` as seen from `directory`: absolute, with "." removed and each "dir/.." folded. A ".."
/// that follows a symbolic link is resolved as the kernel does; that costs one look at the link.
std::string absolutePath(llvm::StringRef directory, llvm::StringRef path);

/// The path without symbolic links. What does not exist (yet) is kept behind the part that does,
/// so a missing file below a linked directory has a real path as well.
std::string realPath(llvm::StringRef path);

/// The path without symbolic links on the way to it; it may be one itself.
std::string withRealParent(llvm::StringRef path);

/// Whether `path` is `directory` or below it, judged by the text alone.
bool isWithin(llvm::StringRef path, llvm::StringRef directory);

/// What follows `directory` in `path`: "" for the directory itself. REQUIRES: isWithin.
llvm::StringRef partBelow(llvm::StringRef path, llvm::StringRef directory);

/// `directory`/`rest`; the directory alone if there is no rest. Knows the directory "/".
std::string joinPath(llvm::StringRef directory, llvm::StringRef rest);

} // namespace retest
