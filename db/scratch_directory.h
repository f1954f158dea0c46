#pragma once

#include "support/error.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include <string>
#include <tuple>
#include <utility>

namespace retest {

/// A directory for files that nobody needs later. Removed with what is in it.
class ScratchDirectory {
public:
  static llvm::Expected<ScratchDirectory> create() {
    llvm::SmallString<128> path;
    if (std::error_code failed = llvm::sys::fs::createUniqueDirectory("retest", path))
      return error("no directory for temporary files: {}; TMPDIR names another place",
                   failed.message());
    return ScratchDirectory(path.str().str());
  }
  ScratchDirectory(ScratchDirectory &&other) : path_(std::exchange(other.path_, "")) {}
  ScratchDirectory &operator=(ScratchDirectory &&) = delete;
  ~ScratchDirectory() {
    if (!path_.empty())
      std::ignore = llvm::sys::fs::remove_directories(path_);
  }

  std::string file(const char *name) const { return path_ + "/" + name; }

private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

} // namespace retest
