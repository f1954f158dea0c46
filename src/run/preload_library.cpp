#include "run/preload_library.h"

#include "run/preload/protocol.h"
#include "run/run_config.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace retest {

std::string preloadLibrary() {
  llvm::SmallString<256> installed(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(installed);
  llvm::sys::path::append(installed, "..", RETEST_LIBRARY_DIRECTORY, "retest");
  llvm::sys::path::append(installed, RETEST_PRELOAD_NAME);
  llvm::sys::path::remove_dots(installed, /*remove_dot_dot=*/true);
  return llvm::sys::fs::exists(installed) ? installed.str().str() : RETEST_BUILT_PRELOAD;
}

void addPreload(const std::string &counterDirectory,
                std::vector<std::pair<std::string, std::string>> &environment) {
  // What a test preloads itself stays, behind ours.
  const char *inherited = std::getenv("LD_PRELOAD");
  std::string others = inherited ? inherited : "";
  llvm::erase_if(environment, [&](const auto &variable) {
    if (variable.first == "LD_PRELOAD")
      others = variable.second;
    return variable.first == "LD_PRELOAD" || variable.first == "LLVM_PROFILE_FILE";
  });
  environment.emplace_back("LD_PRELOAD", preloadLibrary() + (others.empty() ? "" : ":" + others));
  environment.emplace_back("LLVM_PROFILE_FILE", preload::kNoProfile);
  environment.emplace_back(preload::kDirectoryVariable, counterDirectory);
}

} // namespace retest
