#pragma once

#include <llvm/Support/Error.h>

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace retest {

/// How a child is started. No shell is involved: each argument arrives as it is written here.
struct ChildCommand {
  std::vector<std::string> arguments; ///< the program first; looked up in PATH without a slash
  std::string directory = {};         ///< working directory; empty: ours
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< set on top of ours
  int input = -1, output = -1, errors = -1; ///< open files for its streams; -1: /dev/null
  std::vector<int> kept = {};               ///< files that stay open in it
  std::vector<std::string> removed = {};    ///< variables of ours that it does not get
  bool hasOwnSession = false;               ///< cannot ask at our terminal
  /// Files of ours that it gives up before it does anything else, even become another program.
  std::vector<int> closed = {};
};

/// How a child ended, and what it took.
struct ChildEnd {
  int exitCode = 0; ///< if no signal ended it
  int signal = 0;   ///< 0 if it exited by itself
  std::chrono::microseconds user{0}, system{0};
  long maxResidentKilobytes = 0;
};

/// A running child. It leads a process group of its own, so it can be ended with everything that it
/// started; an interrupt of ours ends it too (killRunningProcesses).
class ChildProcess {
public:
  using Clock = std::chrono::steady_clock;

  /// Fails if it cannot be started; a child that fails is a result.
  static llvm::Expected<ChildProcess> start(const ChildCommand &command);
  ChildProcess(ChildProcess &&other) noexcept : process_(std::exchange(other.process_, -1)) {}
  ChildProcess &operator=(ChildProcess &&) = delete;
  ~ChildProcess(); ///< ends the group if nobody has waited for it

  pid_t id() const { return process_; }

  /// Whether it ended before the deadline. It stays to be reaped.
  bool endsBy(std::optional<Clock::time_point> deadline) const;
  /// Ends it, and everything in its group.
  void kill() const;
  /// Waits for its end.
  ChildEnd reap();

private:
  explicit ChildProcess(pid_t process) : process_(process) {}

  pid_t process_; ///< -1: reaped
};

/// Ends the process groups of all children that run now. Safe in a signal handler: being in
/// groups of their own, children do not get the terminal's Ctrl-C.
void killRunningProcesses() noexcept;

/// The path of a program: `name` itself if it has a slash, else the first match in PATH.
std::optional<std::string> findProgram(llvm::StringRef name);

} // namespace retest
