#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>

namespace retest {

/// What a system call may tell of the files that a process depends on.
enum class FileCallKind : std::uint8_t {
  Open,       ///< flags of `open` in a register
  OpenHow,    ///< flags of `open` in a structure
  Create,     ///< `creat`
  Execute,    ///< starts a program
  Look,       ///< whether something is there, and what
  LookAtLink, ///< the same, of a symbolic link itself
  List,       ///< the names in an open directory
  Rename,
  Remove,
  Make,  ///< a directory, symbolic link or special file
  Link,  ///< one more name for a file
  Alter, ///< a file's size, rights or times
  Hide,  ///< what happens afterwards cannot be seen
};

/// A system call, and in which of its arguments (counted from 0) things are. -1: it has none.
struct FileCall {
  long number;
  FileCallKind kind;
  std::int8_t path = -1;
  std::int8_t directory =
      -1; ///< descriptor that a relative path starts from; -1: working directory
  std::int8_t flags = -1;
  std::int8_t toPath = -1, toDirectory = -1; ///< of the second path
  const char *hides = "";                    ///< Hide: what, for the user
};

/// All calls that are watched, sorted by number.
llvm::ArrayRef<FileCall> fileCalls();

/// Null if the call is not watched.
const FileCall *fileCall(long number);

} // namespace retest
