#include "support/missing_files.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

#include <cerrno>
#include <dirent.h>
#include <optional>
#include <sys/stat.h>

namespace retest {
namespace {

bool isAsBefore(llvm::StringRef path) {
  llvm::SmallString<256> terminated(path);
  struct stat status;
  bool isThere = stat(terminated.c_str(), &status) == 0;
  return path.ends_with("/") ? isThere && S_ISDIR(status.st_mode) : !isThere;
}

/// The hash of a name in lower case; nothing for a name that may fold in ways unknown here.
std::optional<std::uint64_t> foldedHash(llvm::StringRef name) {
  llvm::SmallString<64> folded;
  for (char c : name) {
    if (static_cast<unsigned char>(c) >= 0x80)
      return std::nullopt;
    folded.push_back(llvm::toLower(c));
  }
  return llvm::xxh3_64bits(folded) >> 1; // the set keeps the highest numbers for itself
}

} // namespace

bool MissingFiles::isMissing(llvm::StringRef path) {
  auto [parent, name] = path.rsplit('/');
  std::optional<std::uint64_t> hash = foldedHash(name);
  if (name.empty() || parent.empty() || name == "." || name == ".." || !hash)
    return isAsBefore(path);
  Directory &directory = directories_[parent];
  if (!directory.isListed && ++directory.questions == directory.listAt)
    list(parent, directory);
  if (directory.isListed && !directory.names.contains(*hash))
    return true;
  return isAsBefore(path);
}

void MissingFiles::list(llvm::StringRef path, Directory &directory) {
  std::size_t most = 16 * directory.questions;
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
    // A name that folds in ways unknown here may stand for any other: then ask for each.
    std::optional<std::uint64_t> hash = foldedHash(entry->d_name);
    if (!hash || directory.names.size() == most)
      break;
    directory.names.insert(*hash);
  }
  directory.names.clear();
}

} // namespace retest
