#include "build/project_directory.h"

#include "build/paths.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {

std::optional<std::string> outermostWith(llvm::StringRef file, llvm::StringRef start) {
  std::optional<std::string> found;
  for (llvm::StringRef level = start; !level.empty(); level = llvm::sys::path::parent_path(level)) {
    if (llvm::sys::fs::exists(joinPath(level, file)))
      found = level.str();
    else if (found)
      break;
  }
  return found;
}

} // namespace retest
