#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <climits>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace retest {
namespace {

/// What was found is no file, or it would have been read.
bool isOtherThanFile(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

} // namespace

std::optional<Fingerprint> listingOf(const std::string &directory,
                                     llvm::function_ref<bool(const std::string &name)> isLeftOut) {
  DIR *entries = opendir(directory.c_str());
  if (!entries)
    return std::nullopt;
  std::vector<std::string> names;
  while (const dirent *entry = readdir(entries))
    names.emplace_back(entry->d_name);
  closedir(entries);
  if (isLeftOut)
    llvm::erase_if(names, isLeftOut);
  llvm::sort(names);
  FingerprintBuilder fingerprint;
  for (const std::string &name : names)
    fingerprint.add(name);
  return fingerprint.finish();
}

std::optional<Fingerprint> kindAt(const std::string &path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0)
    return std::nullopt;
  FingerprintBuilder kind;
  kind.add(std::uint64_t{status.st_mode & S_IFMT});
  if (S_ISLNK(status.st_mode)) {
    char target[PATH_MAX];
    ssize_t size = readlink(path.c_str(), target, sizeof target);
    kind.add(llvm::StringRef(target, static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
    kind.add(stat(path.c_str(), &status) == 0 ? std::uint64_t{status.st_mode & S_IFMT} : 0);
  }
  return kind.finish();
}

void addContents(FileObservations &observations, FileStates &files,
                 llvm::function_ref<bool(const std::string &path)> isLeftOut) {
  files.lookAgain(); // the test may have written any of them
  for (FileUse &use : observations.files) {
    if (use.content != Fingerprint{} || (isLeftOut && isLeftOut(use.path)))
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
    return kindAt(path).value_or(Fingerprint{}) == use.content;
  case FileUseKind::Found:
    return isKnown ? kindAt(path) == use.content : isOtherThanFile(path);
  case FileUseKind::Written:
    return true;
  }
  return false;
}

} // namespace retest
