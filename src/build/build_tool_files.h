#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

enum class BuildTool { Ninja, Make, Other };

/// What builds the directory; Other if neither CMake nor Meson made it.
BuildTool buildToolOf(const std::string &buildDirectory);

/// The program that CMake calls there, or one that is installed.
std::string ninjaProgram(const std::string &buildDirectory);

/// How ninja names a file, which is given by its absolute path.
std::string ninjaName(llvm::StringRef path, llvm::StringRef buildDirectory);

/// Goes through the lines of all files that CMake or Meson wrote for ninja or make in the build
/// directory; none for other tools.
void forEachBuildLine(const std::string &buildDirectory,
                      llvm::function_ref<void(llvm::StringRef line)> take);

} // namespace retest
