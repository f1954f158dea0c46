#include "support/missing_files.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>

#include <cerrno>
#include <dirent.h>
#include <sys/stat.h>

namespace retest {
namespace {

bool hasNoFile(llvm::StringRef path) {
  llvm::SmallString<256> terminated(path);
  struct stat status;
  return stat(terminated.c_str(), &status) != 0 || S_ISDIR(status.st_mode);
}

/// Whether lower() is all that "the same but for the case" can mean for this name.
bool isAscii(llvm::StringRef name) {
  for (unsigned char c : name)
    if (c >= 0x80)
      return false;
  return true;
}

} // namespace

bool MissingFiles::isMissing(llvm::StringRef path) {
  auto [parent, name] = path.rsplit('/');
  if (name.empty() || parent.empty() || name == "." || name == ".." || !isAscii(name))
    return hasNoFile(path);
  Directory &directory = directories_[parent];
  if (!directory.isListed && ++directory.questions == directory.listAt)
    list(parent, directory);
  if (directory.isListed && !directory.names.contains(name.lower()))
    return true;
  return hasNoFile(path);
}

void MissingFiles::list(llvm::StringRef path, Directory &directory) {
  std::size_t most = 8 * directory.questions;
  directory.listAt = 8 * directory.questions;
  llvm::SmallString<256> terminated(path);
  DIR *entries = opendir(terminated.c_str());
  if (!entries) {
    directory.isListed = errno == ENOENT || errno == ENOTDIR;
    return;
  }
  auto close = llvm::make_scope_exit([&] { closedir(entries); });
  for (;;) {
    errno = 0;
    dirent *entry = readdir(entries);
    if (!entry) {
      directory.isListed = errno == 0;
      return;
    }
    llvm::StringRef name = entry->d_name;
    // A name that folds in ways unknown here may stand for any other: ask for each.
    if (!isAscii(name) || directory.names.size() == most)
      break;
    directory.names.insert(name.lower());
  }
  directory.names.clear();
}

} // namespace retest
