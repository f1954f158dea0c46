#include "run/file_snapshot.h"

#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace retest {

FileSnapshot::FileSnapshot(std::vector<FileUse> &uses) {
  for (FileUse &use : uses) {
    if (use.kind == FileUseKind::Executed)
      continue;
    seen_.push_back({use.kind, use.path, stateOf(use.kind, use.path)});
    bool hasContent = use.kind == FileUseKind::Read || use.kind == FileUseKind::Listed;
    if (hasContent && use.content == Fingerprint{})
      use.content = seen_.back().state.value_or(Fingerprint{});
  }
}

bool FileSnapshot::isStillTrue() {
  files_.lookAgain();
  return llvm::all_of(
      seen_, [&](const Seen &each) { return stateOf(each.kind, each.path) == each.state; });
}

/// Nothing: there is none.
FileSnapshot::State FileSnapshot::stateOf(FileUseKind kind, const std::string &path) {
  if (kind == FileUseKind::Listed)
    return listingOf(path);
  if (State content = files_.current(path))
    return content;
  return llvm::sys::fs::exists(path) ? State(Fingerprint{}) : std::nullopt;
}

} // namespace retest
