#include "support/write_file.h"

#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

llvm::Error writeFile(const std::string &path, llvm::StringRef content) {
  if (std::error_code failed =
          llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return error("{}: cannot be made: {}", llvm::sys::path::parent_path(path).str(),
                 failed.message());
  std::error_code failed;
  llvm::raw_fd_ostream file(path, failed);
  if (failed)
    return error("{}: cannot be written: {}", path, failed.message());
  file << content;
  file.close();
  if (!file.has_error())
    return llvm::Error::success();
  llvm::Error result = error("{}: cannot be written: {}", path, file.error().message());
  file.clear_error();
  return result;
}

} // namespace retest
