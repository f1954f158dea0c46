#pragma once

#include <string>

namespace retest {

/// Whether the machine's C library has a function of this name, so that a definition in a program
/// takes its place in every library that the program loads.
bool isInCLibrary(const std::string &name);

} // namespace retest
