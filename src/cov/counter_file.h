#pragma once

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace retest {

/// What one process left of one module (an executable or a library): how often each counter was
/// passed.
struct ModuleCounters {
  std::string module;  ///< path, links resolved
  std::string buildId; ///< bytes; empty: the module has none
  std::uint64_t process = 0;
  bool hadThreads = false; ///< counts may be too low, but what was passed is not 0
  bool hasEnded = false;   ///< no function was left half-way, as by a signal
  std::vector<std::uint64_t> counters;

  auto operator<=>(const ModuleCounters &) const = default;
};

/// Reads a file that the preloaded library made (run/preload/protocol.h).
llvm::Expected<ModuleCounters> readCounterFile(const std::string &path);

/// All counter files of a directory, and removes them: raw files never pile up. Sorted.
llvm::Expected<std::vector<ModuleCounters>> takeCounterFiles(const std::string &directory);

} // namespace retest
