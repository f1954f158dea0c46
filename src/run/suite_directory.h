#pragma once

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace retest {

/// Where a suite may have its files.
struct SuitePlaces {
  /// Taken if there is room. Each is a directory on a file system in memory, where tests are twice
  /// as fast as on a disk.
  std::vector<std::string> inMemory = {};
  std::string onDisk; ///< taken if there is none
  std::uint64_t room = 0;
};

/// The places of this machine: /dev/shm and XDG_RUNTIME_DIR, where they are file systems in memory,
/// else `onDisk`. The room is for the output that tests of `jobs` workers may have until its middle
/// is given back (TestOutput), and for their counters.
SuitePlaces suitePlaces(const std::string &onDisk, unsigned jobs);

/// A directory for counters and output of tests, for its user alone. Removed with all it holds.
///
/// The process that made it keeps it locked, and the lock goes with the process. So one that is not
/// locked was left by a process that was killed, whatever its number and in whichever container.
class SuiteDirectory {
public:
  static llvm::Expected<SuiteDirectory> make(const SuitePlaces &places);
  SuiteDirectory(SuiteDirectory &&other) noexcept;
  SuiteDirectory &operator=(SuiteDirectory &&) = delete;
  ~SuiteDirectory();

  const std::string &path() const { return path_; }

private:
  SuiteDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  static llvm::Expected<SuiteDirectory> makeIn(const std::string &place);

  std::string path_; ///< real; empty: moved from
  int lock_;
};

/// Removes what killed processes of this user have left in these places, and ends the tests that
/// still run for them. Returns how many directories that were.
unsigned removeAbandoned(const SuitePlaces &places);

/// Removes a directory with all it holds, pipes and sockets of tests too.
void removeAll(const std::string &directory);

/// Whether hardly anything can be written there any more.
bool isDiskFull(const std::string &directory);

} // namespace retest
