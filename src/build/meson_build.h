#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

// What Meson says about a build directory, in meson-info/.

/// Whether Meson configured it.
bool isMesonBuild(llvm::StringRef directory);

/// The directory of its sources, as Meson spells it; nothing if Meson did not configure it.
std::optional<std::string> mesonSource(llvm::StringRef directory);

/// The value of an option that is a list, such as cpp_args; empty if there is none.
std::vector<std::string> mesonOption(llvm::StringRef directory, llvm::StringRef option);

/// The outermost directory with a meson.build from `start` upwards, without a gap: the project's.
std::optional<std::string> findMesonProject(llvm::StringRef start);

} // namespace retest
