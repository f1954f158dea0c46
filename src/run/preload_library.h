#pragma once

#include <string>

namespace retest {

/// The path of the library that is preloaded into test programs: beside our own program as it is
/// installed, else where it was built.
std::string preloadLibrary();

} // namespace retest
