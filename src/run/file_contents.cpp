#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <dirent.h>

namespace retest {

std::optional<Fingerprint> listingOf(const std::string &directory) {
  DIR *entries = opendir(directory.c_str());
  if (!entries)
    return std::nullopt;
  std::vector<std::string> names;
  while (const dirent *entry = readdir(entries))
    names.emplace_back(entry->d_name);
  closedir(entries);
  llvm::sort(names);
  FingerprintBuilder fingerprint;
  for (const std::string &name : names)
    fingerprint.add(name);
  return fingerprint.finish();
}

void addContents(FileObservations &observations, FileStates &files) {
  files.lookAgain(); // the test may have written any of them
  for (FileUse &use : observations.files) {
    if (use.content != Fingerprint{})
      continue;
    if (use.kind == FileUseKind::Read || use.kind == FileUseKind::Executed)
      use.content = files.current(use.path).value_or(Fingerprint{});
    else if (use.kind == FileUseKind::Listed)
      use.content = listingOf(use.path).value_or(Fingerprint{});
  }
}

bool isAsUsed(const FileUse &use, const std::string &path, FileStates &files) {
  bool isKnown = use.content != Fingerprint{};
  switch (use.kind) {
  case FileUseKind::Read:
  case FileUseKind::Executed:
    return isKnown && files.current(path) == use.content;
  case FileUseKind::Listed:
    return isKnown && listingOf(path) == use.content;
  case FileUseKind::Missing:
    return !llvm::sys::fs::exists(path);
  case FileUseKind::Found:
    return llvm::sys::fs::exists(path);
  case FileUseKind::Written:
    return true;
  }
  return false;
}

} // namespace retest
