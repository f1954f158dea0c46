#include "run/preload_library.h"

#include "run/run_config.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {

std::string preloadLibrary() {
  llvm::SmallString<256> installed(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(installed);
  llvm::sys::path::append(installed, "..", RETEST_LIBRARY_DIRECTORY, "retest");
  llvm::sys::path::append(installed, RETEST_PRELOAD_NAME);
  llvm::sys::path::remove_dots(installed, /*remove_dot_dot=*/true);
  return llvm::sys::fs::exists(installed) ? installed.str().str() : RETEST_BUILT_PRELOAD;
}

} // namespace retest
