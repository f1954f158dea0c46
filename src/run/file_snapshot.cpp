#include "run/file_snapshot.h"

#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>

#include <cassert>

namespace retest {

FileSnapshot::FileSnapshot(const std::vector<FileUse> &uses) {
  for (const FileUse &use : uses) {
    seen_.emplace_back(use, stateOf(use));
    wasRewritten_ |= isOther(use, seen_.back().second);
  }
}

/// Contents that were kept are those of files that were about to be changed; kinds always are.
bool FileSnapshot::isOther(const FileUse &use, const State &now) {
  bool isKept = use.content != Fingerprint{};
  switch (use.kind) {
  case FileUseKind::Written:
    return false;
  case FileUseKind::Read:
  case FileUseKind::Listed:
    return isKept && now != use.content;
  case FileUseKind::Executed:
    return isKept && files_.current(use.path) != use.content;
  case FileUseKind::Missing:
  case FileUseKind::Found:
    return now.value_or(Fingerprint{}) != use.content;
  }
  return true;
}

void FileSnapshot::addContents(std::vector<FileUse> &uses) const {
  assert(uses.size() == seen_.size() && "they are the same");
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i].content == Fingerprint{} &&
        (uses[i].kind == FileUseKind::Read || uses[i].kind == FileUseKind::Listed))
      uses[i].content = seen_[i].second.value_or(Fingerprint{});
}

bool FileSnapshot::isStillTrue() {
  files_.lookAgain();
  return llvm::all_of(seen_, [&](const auto &each) { return stateOf(each.first) == each.second; });
}

FileSnapshot::State FileSnapshot::stateOf(const FileUse &use) {
  switch (use.kind) {
  case FileUseKind::Written:
    return std::nullopt;
  case FileUseKind::Listed:
    return listingOf(use.path);
  case FileUseKind::Read:
    if (State content = files_.current(use.path))
      return content;
    return kindAt(use.path) ? State(Fingerprint{}) : std::nullopt;
  case FileUseKind::Missing:
  case FileUseKind::Found:
    return kindAt(use.path);
  case FileUseKind::Executed:
    if (std::optional<FileStamp> stamp = stampOf(use.path)) {
      FingerprintBuilder state;
      state.add(stamp->size);
      state.add(static_cast<std::uint64_t>(stamp->modified));
      state.add(static_cast<std::uint64_t>(stamp->changed));
      state.add(stamp->inode);
      state.add(stamp->device);
      return state.finish();
    }
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace retest
