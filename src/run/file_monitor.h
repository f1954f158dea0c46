#pragma once

#include "run/observed_files.h"
#include "support/child_process.h"

#include <llvm/Support/Error.h>

#include <memory>
#include <optional>

namespace retest {

/// Whether this system lets us watch files; the error says why not. Old kernels (before 5.9) and
/// some containers do not: then the files of tests are not known.
llvm::Error canWatchFiles();

/// Sees which files a process and all that it starts use, whatever they are: static programs,
/// scripts, processes with an environment of their own, raw system calls.
///
/// The kernel holds each process at each call that names a file until we have looked (seccomp user
/// notification). A thread of ours does that for each monitor; it lives as long as any process that
/// it watches, since those would get errors without it. If we die, they do.
class FileMonitor {
public:
  /// Starts a child and watches it from its beginning. Fails as ChildProcess::start, or if it
  /// cannot be watched.
  static llvm::Expected<std::pair<ChildProcess, FileMonitor>> start(const ChildCommand &command,
                                                                    const WatchedPaths &paths);
  FileMonitor(FileMonitor &&) = default;
  FileMonitor &operator=(FileMonitor &&) = default;
  ~FileMonitor(); ///< what still runs goes on, unseen

  /// The child's child that runs now. Without knowing it, finding out whose a call is takes longer.
  void expect(pid_t process);
  /// All that happened since the start, or since the last time.
  FileObservations take();
  /// The same, where the child forks one process for each test: all must have been done by that
  /// process, its group and its children. What others do may belong to a test that has ended; then
  /// this one is unmeasured.
  FileObservations take(pid_t process);

private:
  struct Watch;
  explicit FileMonitor(std::shared_ptr<Watch> watch) : watch_(std::move(watch)) {}

  std::shared_ptr<Watch> watch_;
};

/// Starts a child, and a monitor for it if there are paths to be watched.
llvm::Expected<ChildProcess> startWatched(const ChildCommand &command,
                                          const std::optional<WatchedPaths> &paths,
                                          std::optional<FileMonitor> &monitor);

} // namespace retest
