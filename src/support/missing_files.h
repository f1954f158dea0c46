#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace retest {

/// Answers for many paths whether a compiler that looks there would still find no file.
///
/// A path that ends in a slash stands for a directory: it must still be one. Where there was
/// nothing, there must be nothing; a directory that appears may hold headers.
///
/// Most missed look-ups lie in few directories: each header that is found in the last of five
/// include directories was missed in four. So a directory that is asked about often is listed
/// once, and a name that is not in the list needs no system call of its own (a third of the
/// time, in the end). A directory is listed when it has at most sixteen entries for each question
/// so far, so large ones cost little more than the questions did.
///
/// Invariant: answers are those of the tree at some moment since the object was made.
class MissingFiles {
public:
  /// There is nothing at `path`; for "dir/", there is a directory.
  bool isMissing(llvm::StringRef path);

private:
  struct Directory {
    unsigned questions = 0;
    unsigned listAt = 8; ///< the number of questions that makes it worth another try
    bool isListed = false;
    /// Hashes of the names in lower case, since a file system may not mind the case.
    llvm::DenseSet<std::uint64_t> names;
  };
  static void list(llvm::StringRef path, Directory &directory);

  llvm::StringMap<Directory> directories_;
};

} // namespace retest
