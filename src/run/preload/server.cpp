// The fork server: a program that has done its static initialisation, and then runs `main` in a
// child for each request.
//
// Raw system calls only: what the server wrote through buffered streams would be written again by
// every child, and running the program's exit handlers in the server would end it half.
#include "run/preload/server.h"

#include "run/preload/counters.h"
#include "run/preload/protocol.h"
#include "run/preload/socket_io.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace retest::preload {
namespace {

/// Calls `act` with each number in a directory of /proc; not with that of the directory itself.
template <class Act> void forEachNumber(const char *directory, Act act) {
  DIR *entries = opendir(directory);
  if (!entries)
    return;
  while (const dirent *entry = readdir(entries))
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
      if (int number = atoi(entry->d_name); number != dirfd(entries))
        act(number);
  closedir(entries);
}

constexpr int kMostFiles = 4096;
bool wasOpen[kMostFiles]; ///< when the program started

unsigned countThreads() {
  unsigned count = 0;
  forEachNumber("/proc/self/task", [&](int) { ++count; });
  return count;
}

unsigned countOwnFiles() {
  unsigned count = 0;
  forEachNumber("/proc/self/fd", [&](int file) { count += file >= kMostFiles || !wasOpen[file]; });
  return count;
}

/// The strings of a request. Their memory stays: a child's arguments live as long as the child.
struct Request {
  const char *directory = "", *output = "", *errors = "", *workingDirectory = "";
  int argumentCount = 0;
  char **arguments = nullptr;
};

bool readRequest(int socket, Request &request) {
  RunRequest head;
  if (!receiveAll(socket, &head, sizeof head))
    return false;
  char *text = static_cast<char *>(malloc(head.textSize + 1));
  request.arguments = static_cast<char **>(calloc(head.arguments + 1, sizeof(char *)));
  if (!text || !request.arguments || !receiveAll(socket, text, head.textSize))
    return false;
  text[head.textSize] = 0;
  const char *end = text + head.textSize;
  auto next = [&]() -> char * {
    char *word = text;
    text += text < end ? strlen(text) + 1 : 0;
    return word;
  };
  request.directory = next();
  request.output = next();
  request.errors = next();
  request.workingDirectory = next();
  request.argumentCount = static_cast<int>(head.arguments);
  for (std::uint32_t i = 0; i < head.arguments; ++i)
    request.arguments[i] = next();
  return true;
}

bool redirect(const char *path, int target) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0)
    return false;
  bool isDone = file == target || dup2(file, target) == target;
  if (file != target)
    close(file);
  return isDone;
}

/// Makes the child what a process started for this test would be.
bool becomeTest(const Request &request, int socket) {
  close(socket);
  setpgid(0, 0);
  int empty = open("/dev/null", O_RDONLY);
  if (empty < 0 || dup2(empty, STDIN_FILENO) < 0)
    return false;
  if (empty != STDIN_FILENO)
    close(empty);
  if (!redirect(request.output, STDOUT_FILENO) || !redirect(request.errors, STDERR_FILENO))
    return false;
  if (*request.workingDirectory && chdir(request.workingDirectory) != 0)
    return false;
  unsetenv(kServerVariable);
  setenv(kDirectoryVariable, request.directory, 1);
  remapCounters(request.directory, /*startsAtZero=*/true);
  return true;
}

/// Waits until the child has ended, or whoever asked for it is gone: then it is ended, with its
/// group. A test does not outlive a recorder that was killed.
void awaitEnd(pid_t child, int socket) {
  int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (handle < 0)
    return;                                                 // Linux before 5.3
  pollfd events[2] = {{handle, POLLIN, 0}, {socket, 0, 0}}; // of the socket: its hang-up alone
  while (poll(events, 2, -1) < 0 && errno == EINTR)
    ;
  if (!events[0].revents && events[1].revents) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL); // it may have left its group
  }
  close(handle);
}

RunEnded endOf(pid_t child, int socket) {
  awaitEnd(child, socket);
  RunEnded ended{};
  rusage usage{};
  int status = 0;
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
    ;
  ended.isSignalled = WIFSIGNALED(status);
  ended.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  auto microseconds = [](const timeval &time) {
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  ended.userMicroseconds = microseconds(usage.ru_utime);
  ended.systemMicroseconds = microseconds(usage.ru_stime);
  ended.maxResidentKilobytes = usage.ru_maxrss;
  return ended;
}

} // namespace

void noteOpenFiles() {
  forEachNumber("/proc/self/fd", [](int file) {
    if (file < kMostFiles)
      wasOpen[file] = true;
  });
}

int serve(int socket, Main main, char **environment) {
  (void)environment; // `setenv` may have moved it: the child takes `environ`
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  ServerHello hello{ServerHello::kMagic, countThreads(), countOwnFiles(), countedModules()};
  if (!sendAll(socket, &hello, sizeof hello))
    _exit(125);
  Request request;
  while (readRequest(socket, request)) {
    unshareEdges();
    pid_t child = fork();
    if (child == 0) {
      if (!becomeTest(request, socket))
        _exit(126);
      return main(request.argumentCount, request.arguments, environ);
    }
    shareEdges();
    if (child > 0)
      setpgid(child, child); // before anybody may want to end its group
    RunStarted started{child};
    if (!sendAll(socket, &started, sizeof started))
      break;
    if (child > 0) {
      RunEnded ended = endOf(child, socket);
      if (!sendAll(socket, &ended, sizeof ended))
        break;
    }
  }
  _exit(0);
}

} // namespace retest::preload
