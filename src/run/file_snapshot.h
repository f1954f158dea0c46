#pragma once

#include "run/recorded_test.h"
#include "support/file_state.h"

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// How the files were that a program has used, to see whether they still are.
///
/// What is there, what is not, what a file holds and which names a directory has. Programs and
/// libraries are left out: they stay as they are while their tests run, or nothing is recorded.
class FileSnapshot {
public:
  /// Paths are absolute. Fills in the contents of what was read or listed.
  explicit FileSnapshot(std::vector<FileUse> &uses);

  bool isStillTrue();

private:
  using State = std::optional<Fingerprint>;
  struct Seen {
    FileUseKind kind;
    std::string path;
    State state;
  };

  State stateOf(FileUseKind kind, const std::string &path);

  FileStates files_;
  std::vector<Seen> seen_;
};

} // namespace retest
