#pragma once

#include "support/fingerprint.h"
#include "support/missing_files.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace retest {

/// What `stat` tells of a file without reading it.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0; ///< nanoseconds; the content was written
  std::int64_t changed = 0;  ///< nanoseconds; content, name or rights changed: no tool sets it
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  auto operator<=>(const FileStamp &) const = default;
};

FileStamp stampOf(const struct stat &status);
/// Of what is at the path, whatever it is; nothing if there is nothing.
std::optional<FileStamp> stampOf(const std::string &path);

/// Whether a stamp taken at `now` vouches for the content that was read right after. A file
/// written at almost the same time may be written again without its times showing it, since
/// file systems count in ticks; two seconds cover the coarsest of them. Git's index has the
/// same rule.
bool isSettled(const FileStamp &stamp, std::int64_t now);

/// The content fingerprints of files, read only when the stamp says that they may have changed.
///
/// Invariant: a remembered fingerprint belongs to a settled stamp, or was read since the last
/// `lookAgain`. Each path is looked at once until then. Used from one thread.
class FileStates {
public:
  /// The content of the regular file at `path`; nothing if there is none or it cannot be read.
  std::optional<Fingerprint> current(llvm::StringRef path);
  /// Whether a compiler that looks there still finds no file (see MissingFiles).
  bool isMissing(llvm::StringRef path) { return missing_.isMissing(path); }

  /// From now on files may have changed.
  void lookAgain();
  /// Whether there is something to save: a file was read or found gone.
  bool isChanged() const { return isChanged_; }
  /// How many files had to be read.
  std::size_t reads() const { return reads_; }

  /// All states that a later process may trust, as bytes.
  std::string encode() const;
  /// The states that `encode` gave; none if the bytes are damaged: then files are just read.
  static FileStates decode(llvm::StringRef bytes);

private:
  struct State {
    FileStamp stamp;
    Fingerprint content;
    bool isSettled = false;
    unsigned seenInRound = 0;
  };

  llvm::StringMap<State> states_;
  MissingFiles missing_;
  unsigned round_ = 1;
  std::size_t reads_ = 0;
  bool isChanged_ = false;
};

} // namespace retest
