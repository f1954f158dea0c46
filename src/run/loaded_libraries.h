#pragma once

#include <string>
#include <vector>

namespace retest {

/// The shared libraries that the loader would load with a program, by path, sorted. The program is
/// not run. None for a script, a static executable, or what cannot be read.
std::vector<std::string> loadedLibraries(const std::string &program);

} // namespace retest
