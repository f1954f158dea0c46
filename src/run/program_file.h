#pragma once

#include <string>

namespace retest {

/// What the first bytes of a file say to the kernel that is to run it.
struct ProgramFile {
  bool isBinary = false;        ///< an ELF executable or shared library
  std::string interpreter = {}; ///< of a script; the loader of a binary; empty: it has none
};

/// A file that cannot be read is no program.
ProgramFile readProgramFile(const std::string &path);

} // namespace retest
