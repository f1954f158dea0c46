#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace retest {

/// Processes that have outlived their tests: daemons, and what nobody has waited for.
///
/// What such a process does for a later test is counted nowhere, since its counters were read when
/// its own test was over. So a test during which one of them was at work is no measurement. Whether
/// one was is seen by how often its threads woke up: not by its counters, for it may pass none
/// while it does something. One that only sleeps does nothing for anybody.
///
/// They are known by counter files that they have begun and not ended: in the directory of their
/// test when it ends, and later in one for all of them, to which the way then leads. So also those
/// are seen that come into being after their test, and none is hindered. Used by several threads.
class StrayProcesses {
public:
  /// Makes a directory for those that come late. What is made there is removed in the end.
  explicit StrayProcesses(const std::string &directory);
  StrayProcesses(const StrayProcesses &) = delete;
  StrayProcesses &operator=(const StrayProcesses &) = delete;
  ~StrayProcesses();

  /// Where counter files of processes belong whose test is over.
  const std::string &lateDirectory() const { return late_; }
  /// Looks through the counter files that a test has left. What is in its group was killed, and is
  /// waited for. Whether processes of the test go on.
  bool find(const std::string &counters, pid_t group);
  /// Another number whenever one of them was at work, came or ended since it was asked for.
  unsigned activity();
  /// Removes a directory when all is over: until then it shows the way to the late ones.
  void removeAtEnd(std::string directory);

private:
  struct Process {
    pid_t id;
    int handle; ///< -1: there is none
    /// Of its threads, and of how often each woke up; nothing: it was at work.
    std::optional<std::uint64_t> rest;
  };

  bool add(pid_t process, pid_t group);
  void findLate();

  const std::string late_;
  std::mutex mutex_;
  std::vector<Process> processes_; ///< that may still be there
  unsigned activity_ = 0;
  std::vector<std::string> removedAtEnd_;
};

} // namespace retest
