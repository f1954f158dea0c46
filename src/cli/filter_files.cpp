#include "cli/filter_files.h"

#include "build/paths.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/Path.h>

namespace retest {

llvm::Expected<std::vector<std::string>> FilterFiles::argumentsOf(const RunnerStart &start,
                                                                  llvm::StringRef runner) {
  if (start.file.empty())
    return retest::argumentsOf(start, "");
  if (std::error_code failed = llvm::sys::fs::create_directories(directory_))
    return error("{}: cannot be made: {}; choose another place with --output-dir", directory_,
                 failed.message());
  llvm::SmallString<256> directory(directory_);
  if (std::error_code failed = llvm::sys::fs::make_absolute(directory))
    return error("{}: {}", directory_, failed.message());
  std::string path = joinPath(directory, fmt::format("{}-{}.filter", runner.str(), ++count_));
  // Whole or not at all: half a filter would run other tests.
  if (llvm::Error failed = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) -> llvm::Error {
        out << start.file;
        return llvm::Error::success();
      }))
    return failed;
  return retest::argumentsOf(start, path);
}

} // namespace retest
