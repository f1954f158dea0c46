#pragma once

#include "run/recorded_test.h"
#include "support/file_state.h"

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// How the files were that a program has used, to see whether they still are: what is there, of
/// which kind, and what is not, what a file holds, which names a directory has. Of programs and
/// libraries, which are large, whether they are the same file.
///
/// What a program only writes does not decide what it does, and is left out.
class FileSnapshot {
public:
  /// As the files are now. Paths are absolute.
  explicit FileSnapshot(const std::vector<FileUse> &uses);

  /// Whether one of them was changed by its user: its content is not what was read or executed, it
  /// is there though it was looked for in vain, or what was found is gone or of another kind.
  bool wasRewritten() const { return wasRewritten_; }
  /// Fills in what was seen of the files that were read and of the directories that were listed.
  /// REQUIRES: `uses` are those of the constructor.
  void addContents(std::vector<FileUse> &uses) const;
  bool isStillTrue();

private:
  using State = std::optional<Fingerprint>; ///< nothing: there is none

  State stateOf(const FileUse &use);
  bool isOther(const FileUse &use, const State &now);

  FileStates files_;
  std::vector<std::pair<FileUse, State>> seen_; ///< in the order of `uses`
  bool wasRewritten_ = false;
};

} // namespace retest
