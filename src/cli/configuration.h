#pragma once

#include "cli/context.h"
#include "config/config.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// What retest.toml of the project at `root` says, there or in .config/, with the profile that is
/// in force. Without such a file: nothing, and to ask for a profile is a mistake.
llvm::Expected<Config> loadConfig(const std::string &root, const Context &context);

/// The root of the project around the current directory, where its configuration is looked for: the
/// work tree, else CMake's source directory. Empty if it is in no project.
std::string projectRootHere();

/// The build directory that was chosen in another way than by an option: RETEST_BUILD_DIR, or the
/// configuration at `root` (empty: there is none). Empty if there was no choice.
llvm::Expected<std::string> configuredBuild(const std::string &root, const Context &context);

/// The declared roots as paths: absolute and real.
std::vector<std::string> declaredRoots(const Config &config, const std::string &root);

} // namespace retest
