#include "support/process.h"

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
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace retest {

namespace {

using Clock = std::chrono::steady_clock;

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

/// A file without a name that goes away with its descriptor.
class MemoryFile {
public:
  explicit MemoryFile(const char *label) : descriptor_(memfd_create(label, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (isOpen())
      close(descriptor_);
  }

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool write(llvm::StringRef text) {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR)
        return false;
      text = text.drop_front(std::max<ssize_t>(count, 0));
    }
    return lseek(descriptor_, 0, SEEK_SET) == 0;
  }

  std::string content() const {
    std::string text;
    char buffer[1 << 16];
    for (;;) {
      const ssize_t count =
          pread(descriptor_, buffer, sizeof buffer, static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return text;
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }

private:
  int descriptor_;
};

/// Our environment with some variables replaced, as `NAME=value` strings.
std::vector<std::string> mergedEnvironment(const ProcessCommand &command) {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    const llvm::StringRef name = llvm::StringRef(*entry).split('=').first;
    if (llvm::none_of(command.environment, [&](const auto &set) { return name == set.first; }))
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

/// Starts the program; returns an errno value, 0 if it runs.
int spawn(const std::string &program, const ProcessCommand &command, const MemoryFile &input,
          const MemoryFile &output, const MemoryFile &errors, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  auto destroyActions = llvm::make_scope_exit([&] { posix_spawn_file_actions_destroy(&actions); });
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
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
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = mergedEnvironment(command);
  return posix_spawn(&child, program.c_str(), &actions, &attributes, pointersTo(arguments).data(),
                     pointersTo(environment).data());
}

/// Waits until the child has ended, or until the deadline; says which. The child stays a zombie,
/// so that its number is not given to another process while its group is still in our table.
bool waitForEnd(pid_t child, std::optional<Clock::time_point> deadline) {
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

ProcessResult reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  ProcessResult result;
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  result.exitCode = WIFSIGNALED(status) ? 128 + result.signal : WEXITSTATUS(status);
  return result;
}

} // namespace

llvm::Expected<ProcessResult> runProcess(const ProcessCommand &command) {
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

  MemoryFile input("stdin"), output("stdout"), errors("stderr");
  if (!input.isOpen() || !output.isOpen() || !errors.isOpen() || !input.write(command.input))
    return error("{}: no memory for its streams: {}", name, std::strerror(errno));

  std::optional<Clock::time_point> deadline;
  if (command.timeout)
    deadline = Clock::now() + *command.timeout;
  pid_t child = 0;
  if (int code = spawn(absolute.str().str(), command, input, output, errors, child))
    return error("{}: cannot be started: {}", *program, std::strerror(code));

  rememberGroup(child);
  const bool ended = waitForEnd(child, deadline);
  if (!ended)
    kill(-child, SIGKILL);
  forgetGroup(child);
  ProcessResult result = reap(child);
  result.timedOut = !ended;
  result.output = output.content();
  result.errors = errors.content();
  return result;
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
