#include "build/paths.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cassert>

namespace retest {
namespace {

/// Most paths are clean already; finding that out is one scan.
bool isClean(llvm::StringRef path) {
  return path.starts_with("/") && !path.contains("//") && !path.contains("/./") &&
         !path.contains("/../") && !path.ends_with("/.") && !path.ends_with("/..") &&
         (path.size() == 1 || !path.ends_with("/"));
}

std::string parentOf(llvm::StringRef directory) {
  if (llvm::sys::fs::is_symlink_file(directory))
    return llvm::sys::path::parent_path(realPath(directory)).str();
  return llvm::sys::path::parent_path(directory).str();
}

} // namespace

std::string absolutePath(llvm::StringRef directory, llvm::StringRef path) {
  std::string whole = path.starts_with("/") ? path.str() : (directory + "/" + path).str();
  if (isClean(whole))
    return whole;
  std::string result = "/";
  llvm::SmallVector<llvm::StringRef, 16> parts;
  llvm::StringRef(whole).split(parts, '/', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    if (part == "..")
      result = result == "/" ? result : parentOf(result);
    else if (part != ".")
      result = joinPath(result, part);
  }
  return result;
}

std::string realPath(llvm::StringRef path) {
  llvm::SmallString<256> real;
  for (llvm::StringRef existing = path; !existing.empty();
       existing = llvm::sys::path::parent_path(existing))
    if (!llvm::sys::fs::real_path(existing, real))
      return joinPath(real, path.drop_front(existing.size()).ltrim('/'));
  return path.str();
}

std::string withRealParent(llvm::StringRef path) {
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  if (parent.empty() || parent == path)
    return path.str();
  return joinPath(realPath(parent), llvm::sys::path::filename(path));
}

bool isWithin(llvm::StringRef path, llvm::StringRef directory) {
  if (!path.consume_front(directory))
    return false;
  return path.empty() || path.front() == '/' || directory.ends_with("/");
}

llvm::StringRef partBelow(llvm::StringRef path, llvm::StringRef directory) {
  assert(isWithin(path, directory) && "the path lies below the directory");
  return path.drop_front(directory.size()).ltrim('/');
}

std::string joinPath(llvm::StringRef directory, llvm::StringRef rest) {
  if (rest.empty())
    return directory.str();
  return (directory + (directory.ends_with("/") ? "" : "/") + rest).str();
}

} // namespace retest
