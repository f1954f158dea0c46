#pragma once

#include "graph/unit_record.h"
#include "support/file_state.h"
#include "support/ids.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <functional>
#include <string>
#include <vector>

namespace retest {

struct PathTag;
/// A path of one FileTable.
using PathId = Id<PathTag>;
struct FileVersionTag;
/// A path with a content, of one FileTable.
using FileVersionId = Id<FileVersionTag>;

struct FileVersion {
  PathId path;
  Fingerprint content;
  Fingerprint seen = {}; ///< FileInput::seen

  auto operator<=>(const FileVersion &) const = default;
};

/// The files of many units, each once. A hundred units read four hundred files each, but few
/// that differ: by number, each is looked at once.
struct FileTable {
  std::vector<std::string> paths; ///< as ProjectPaths::nameOf gives them
  std::vector<FileVersion> versions;
};

/// What decides whether a unit must be parsed again, beside its command.
struct UnitFiles {
  std::vector<FileVersionId> inputs;
  std::vector<PathId> missed;
};

/// Judges which units are as they were parsed: each input has the content it had, and nothing
/// has appeared at the paths that were looked for in vain. What cannot be read, and a number
/// that the table does not have, counts as changed (S2).
///
/// Invariant: each file is looked at once in its life. For a tree that may have changed again,
/// make another.
class Freshness {
public:
  /// `pathOf` turns the name of a file into a path that can be opened (ProjectPaths::pathOf).
  Freshness(const FileTable &table, FileStates &files,
            std::function<std::string(llvm::StringRef)> pathOf);

  bool isUpToDate(const UnitFiles &unit);
  bool isUnchanged(FileVersionId version);
  bool isMissing(PathId path);

private:
  enum class Answer : std::uint8_t { Unknown, No, Yes };

  const FileTable &table_;
  FileStates &files_;
  std::function<std::string(llvm::StringRef)> pathOf_;
  std::vector<Answer> unchanged_; // by version
  std::vector<Answer> missing_;   // by path
};

} // namespace retest
