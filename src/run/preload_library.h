#pragma once

#include <string>
#include <utility>
#include <vector>

namespace retest {

/// The path of the library that is preloaded into test programs: beside our own program as it is
/// installed, else where it was built.
std::string preloadLibrary();

/// Adds what makes a program, and those that it starts, leave counter files in the directory.
void addPreload(const std::string &counterDirectory,
                std::vector<std::pair<std::string, std::string>> &environment);

} // namespace retest
