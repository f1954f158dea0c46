#pragma once

#include <string>

namespace retest {

/// Whether the machine's C library has a function of this name, so that a definition in a program
/// takes its place in every library that the program loads. Where no library of the name `library`
/// is loaded, it may have all functions.
bool mayBeInCLibrary(const std::string &name, const char *library = "libc.so.6");

} // namespace retest
