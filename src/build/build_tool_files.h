#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

enum class BuildTool { Ninja, Make, Other };

/// What builds the directory; Other if CMake did not make it.
BuildTool buildToolOf(const std::string &buildDirectory);

/// Goes through the lines of all files that CMake wrote for ninja or make in the build directory;
/// none for other tools.
void forEachBuildLine(const std::string &buildDirectory,
                      llvm::function_ref<void(llvm::StringRef line)> take);

} // namespace retest
