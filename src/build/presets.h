#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace retest {

/// The build directories that CMakePresets.json and CMakeUserPresets.json of a source directory
/// name, in order: macros expanded, inherited ones included, hidden presets left out. Presets that
/// cannot be read name none: this only helps to guess.
std::vector<std::string> presetBuildDirectories(llvm::StringRef sourceDirectory);

} // namespace retest
