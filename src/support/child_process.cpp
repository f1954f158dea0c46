#include "support/child_process.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace retest {

namespace {

/// Groups to end when we are interrupted. A fixed table, since a signal handler may not lock;
/// a child beyond its size runs as well, but outlives an interrupt.
std::atomic<pid_t> runningGroups[256];

void rememberGroup(pid_t group) {
  for (std::atomic<pid_t> &slot : runningGroups) {
    pid_t empty = 0;
    if (slot.compare_exchange_strong(empty, group))
      return;
  }
}

void forgetGroup(pid_t group) {
  for (std::atomic<pid_t> &slot : runningGroups) {
    pid_t expected = group;
    if (slot.compare_exchange_strong(expected, 0))
      return;
  }
}

/// Our environment with some variables replaced, as `NAME=value` strings.
std::vector<std::string> mergedEnvironment(const ChildCommand &command) {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    const llvm::StringRef name = llvm::StringRef(*entry).split('=').first;
    if (llvm::none_of(command.environment, [&](const auto &set) { return name == set.first; }) &&
        !llvm::is_contained(command.removed, name))
      result.emplace_back(*entry);
  }
  for (const auto &[name, value] : command.environment)
    result.push_back(name + "=" + value);
  return result;
}

std::vector<char *> pointersTo(std::vector<std::string> &strings) {
  std::vector<char *> pointers;
  for (std::string &string : strings)
    pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

void setStream(posix_spawn_file_actions_t &actions, int file, int stream, int access) {
  if (file >= 0)
    posix_spawn_file_actions_adddup2(&actions, file, stream);
  else
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", access, 0);
}

/// Starts the program; returns an errno value, 0 if it runs.
int spawn(const std::string &program, const ChildCommand &command, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  auto destroyActions = llvm::make_scope_exit([&] { posix_spawn_file_actions_destroy(&actions); });
  for (int file : command.closed)
    posix_spawn_file_actions_addclose(&actions, file);
  setStream(actions, command.input, STDIN_FILENO, O_RDONLY);
  setStream(actions, command.output, STDOUT_FILENO, O_WRONLY);
  setStream(actions, command.errors, STDERR_FILENO, O_WRONLY);
  for (int file : command.kept) // to itself: stays open in the child
    posix_spawn_file_actions_adddup2(&actions, file, file);
  if (!command.directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  auto destroyAttributes = llvm::make_scope_exit([&] { posix_spawnattr_destroy(&attributes); });
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  // The leader of a session leads a group, too.
  int group = command.hasOwnSession ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(
      &attributes, static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));

  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = mergedEnvironment(command);
  return posix_spawn(&child, program.c_str(), &actions, &attributes, pointersTo(arguments).data(),
                     pointersTo(environment).data());
}

std::chrono::microseconds durationOf(const timeval &time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

} // namespace

llvm::Expected<ChildProcess> ChildProcess::start(const ChildCommand &command) {
  assert(!command.arguments.empty() && "a command names its program");
  const std::string &name = command.arguments.front();
  std::optional<std::string> program = findProgram(name);
  if (!program)
    return llvm::StringRef(name).contains('/')
               ? error("{}: no such program that can be run; check its path and its permissions",
                       name)
               : error("{}: no such program; install it, or add its directory to PATH", name);
  if (!command.directory.empty() && !llvm::sys::fs::is_directory(command.directory))
    return error("{}: no such directory, cannot run {} there", command.directory, name);

  // The child looks for it from its own directory, so a relative path would miss.
  llvm::SmallString<256> absolute(*program);
  if (std::error_code code = llvm::sys::fs::make_absolute(absolute))
    return error("{}: {}", *program, code.message());
  pid_t child = 0;
  if (int code = spawn(absolute.str().str(), command, child))
    return error("{}: cannot be started: {}", *program, std::strerror(code));
  rememberGroup(child);
  return ChildProcess(child);
}

ChildProcess::~ChildProcess() {
  if (process_ < 0)
    return;
  kill();
  reap();
}

/// The child stays a zombie, so that its number is not given to another process while its group is
/// still in our table.
bool ChildProcess::endsBy(std::optional<Clock::time_point> deadline) const {
  const pid_t child = process_;
  siginfo_t info{};
  if (!deadline) {
    while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
      ;
    return true;
  }
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  auto closeHandle = llvm::make_scope_exit([&] {
    if (handle >= 0)
      close(handle);
  });
  for (;;) {
    info.si_pid = 0;
    if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
        info.si_pid == child)
      return true;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
    if (left.count() <= 0)
      return false;
    pollfd ended{handle, POLLIN, 0};
    if (handle >= 0)
      poll(&ended, 1, static_cast<int>(std::min<long long>(left.count(), 60'000)));
    else // a kernel without pidfd_open
      std::this_thread::sleep_for(std::min(left, std::chrono::milliseconds(5)));
  }
}

void ChildProcess::kill() const {
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL); // it may have left its group
}

ChildEnd ChildProcess::reap() {
  endsBy(std::nullopt);
  forgetGroup(process_);
  int status = 0;
  rusage usage{};
  while (wait4(process_, &status, 0, &usage) < 0 && errno == EINTR)
    ;
  process_ = -1;
  ChildEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  end.user = durationOf(usage.ru_utime);
  end.system = durationOf(usage.ru_stime);
  end.maxResidentKilobytes = usage.ru_maxrss;
  return end;
}

std::optional<std::string> findProgram(llvm::StringRef name) {
  if (name.contains('/')) {
    if (llvm::sys::fs::can_execute(name))
      return name.str();
    return std::nullopt;
  }
  llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name);
  if (!path)
    return std::nullopt;
  return *path;
}

void killRunningProcesses() noexcept {
  for (std::atomic<pid_t> &slot : runningGroups)
    if (pid_t group = slot.load())
      kill(-group, SIGKILL);
}

} // namespace retest
