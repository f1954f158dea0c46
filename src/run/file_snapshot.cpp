#include "run/file_snapshot.h"

#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

#include <cassert>

namespace retest {

namespace {

/// Of a file that is not read: which one it is, and when it was written.
Fingerprint identityOf(const llvm::sys::fs::file_status &status) {
  FingerprintBuilder identity;
  identity.add(status.getUniqueID().getDevice());
  identity.add(status.getUniqueID().getFile());
  identity.add(status.getSize());
  identity.add(
      static_cast<std::uint64_t>(status.getLastModificationTime().time_since_epoch().count()));
  return identity.finish();
}

} // namespace

FileSnapshot::FileSnapshot(const std::vector<FileUse> &uses) {
  for (const FileUse &use : uses) {
    seen_.emplace_back(use, stateOf(use));
    wasRewritten_ |= use.content != Fingerprint{} && seen_.back().second != use.content;
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
  llvm::sys::fs::file_status status;
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
    return llvm::sys::fs::status(use.path, status) ? std::nullopt : State(identityOf(status));
  }
  return std::nullopt;
}

} // namespace retest
