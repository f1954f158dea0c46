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

/// The project around a directory: the outermost one above it, or itself, whose meson.build is that
/// of a project and not only of a part of one. Nothing if there is none.
std::optional<std::string> findMesonProject(llvm::StringRef start);

} // namespace retest
