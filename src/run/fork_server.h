#pragma once

#include "run/file_monitor.h"
#include "run/file_snapshot.h"
#include "run/run_end.h"
#include "run/run_watch.h"
#include "support/child_process.h"

#include <llvm/Support/Error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// A test program to be kept at the beginning of its `main`.
struct ServerCommand {
  std::vector<std::string> arguments; ///< the program first, by its path
  std::string directory = {};         ///< working directory; empty: ours
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< set on top of ours
  /// For counter files of what runs before `main`; must exist.
  std::string counterDirectory;
  /// For static initialisation.
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  std::vector<std::string> removed = {}; ///< variables of ours that it does not get
  const RunWatch *watch = nullptr;
  std::optional<WatchedPaths> watched = {}; ///< none: files are not watched
};

/// One run of the program's `main`.
struct ServerRun {
  std::vector<std::string> arguments; ///< the program's name first
  std::string directory = {};         ///< working directory; empty: the server's
  std::string outputFile, errorFile;  ///< appended to
  std::string counterDirectory;       ///< for this process and those that it starts; must exist
  std::optional<std::chrono::milliseconds> timeout = {};
  /// For the news that it has begun: a child is there and waits for it.
  std::chrono::milliseconds mostStart = std::chrono::seconds(60);
  const RunWatch *watch = nullptr;
  std::function<void()> onSent = {}; ///< when the request is on its way
};

/// A test program that has done its dynamic linking and static initialisation once, and forks a
/// child for each test: each starts from pristine memory, for the price of a fork.
///
/// It is the user's own program, into which a library was preloaded (src/run/preload). Whether that
/// worked is seen by the program's greeting: a static executable never says anything and runs all
/// its tests instead, so it is killed and `start` fails.
class ForkServer {
public:
  static llvm::Expected<ForkServer> start(const ServerCommand &command);
  ForkServer(ForkServer &&other) noexcept;
  ForkServer &operator=(ForkServer &&) = delete;
  ~ForkServer(); ///< ends the program and everything that still runs in its groups

  pid_t process() const { return process_.id(); }

  /// What stands against forking this program, for the user; empty: nothing.
  const std::string &objection() const { return objection_; }

  /// What it did with files before `main`, if that was to be watched: belongs to every test.
  const std::optional<FileObservations> &filesBeforeMain() const { return filesBeforeMain_; }
  /// Whether those are as they were: if not, a process that is started now may do otherwise.
  bool areFilesSame() { return !snapshot_ || snapshot_->isStillTrue(); }

  /// An error only if the server itself is gone, or the files cannot be made.
  llvm::Expected<RunEnd> run(const ServerRun &run);
  /// Whether the last run had begun before it failed.
  bool hadBegun() const { return lastGroup_ != 0; }
  /// Of the processes of the last run; 0: it had not begun.
  pid_t lastGroup() const { return lastGroup_; }

private:
  ForkServer(int socket, ChildProcess process, std::optional<FileMonitor> monitor)
      : socket_(socket), process_(std::move(process)), monitor_(std::move(monitor)) {}

  llvm::Error greet(const ServerCommand &command);
  bool waitFor(std::optional<RunWatch::TimePoint> deadline) const;
  void waitWatched(std::optional<RunWatch::TimePoint> deadline, const RunWatch *watch,
                   RunEnd &end) const;
  llvm::Error receive(void *data, std::size_t size,
                      std::optional<RunWatch::TimePoint> deadline = std::nullopt);

  int socket_ = -1;
  ChildProcess process_;
  unsigned modules_ = 0; ///< with counters
  pid_t lastGroup_ = 0;
  /// One for the server and its children: a process can be under one filter only, and one test
  /// runs at a time.
  std::optional<FileMonitor> monitor_;
  std::optional<FileObservations> filesBeforeMain_;
  std::optional<FileSnapshot> snapshot_; ///< of what filesBeforeMain_ names
  std::string objection_;
};

} // namespace retest
