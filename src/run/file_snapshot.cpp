#include "run/file_snapshot.h"

#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

#include <cassert>

namespace retest {

FileSnapshot::FileSnapshot(const std::vector<FileUse> &uses) {
  for (const FileUse &use : uses) {
    seen_.emplace_back(use, stateOf(use));
    const State &now = seen_.back().second;
    bool hasContent = use.kind == FileUseKind::Read || use.kind == FileUseKind::Listed;
    wasRewritten_ |= hasContent && use.content != Fingerprint{} && now != use.content;
    wasRewritten_ |= use.kind == FileUseKind::Missing && now;
  }
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
    [[fallthrough]];
  case FileUseKind::Missing:
  case FileUseKind::Found:
    return llvm::sys::fs::exists(use.path) ? State(Fingerprint{}) : std::nullopt;
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
