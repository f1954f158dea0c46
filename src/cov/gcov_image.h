#pragma once

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace retest {

/// Where the counters of a function are.
struct GcovCounters {
  std::uint32_t ident = 0, lineChecksum = 0, flowChecksum = 0; ///< as in GcovFunction
  std::uint32_t firstCounter = 0; ///< index in ModuleCounters::counters
  std::uint32_t counterCount = 0;
};

/// An object file inside of a module, with the functions that were compiled into it. An inline
/// function is in each object that has it; only the copy that the linker kept ever counts.
struct GcovObject {
  std::string stem;        ///< absolute path without ".o"; with ".gcno" it is that of the notes
  std::uint32_t stamp = 0; ///< as in GcovNotes
  std::vector<GcovCounters> functions;
};

/// An executable or library that GCC built for recording (build/coverage_build.h), as it is in its
/// file: the tables that GCC's runtime would use (`gcov_info`), and where the counters are.
struct GcovImage {
  std::string path;
  std::string buildId; ///< bytes
  std::size_t counterCount = 0;
  std::vector<GcovObject> objects;

  /// An error if the file has no such tables, or they lead outside of it.
  static llvm::Expected<GcovImage> load(const std::string &path);
};

} // namespace retest
