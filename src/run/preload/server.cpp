// The fork server: a program that has done its static initialisation, and then runs `main` in a
// child for each request.
//
// Raw system calls only: what the server wrote through buffered streams would be written again by
// every child, and running the program's exit handlers in the server would end it half.
#include "run/preload/server.h"

#include "run/preload/counters.h"
#include "run/preload/proc_maps.h"
#include "run/preload/proc_numbers.h"
#include "run/preload/protocol.h"
#include "run/preload/socket_io.h"
#include "run/preload/warm_pages.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace retest::preload {
namespace {

constexpr int kMostFiles = 4096;
bool wasOpen[kMostFiles]; ///< when the program started
bool wasTimerMade = false;

unsigned countOwnFiles() {
  unsigned count = 0;
  forEachNumber("/proc/self/fd", [&](int file, int directory) {
    count += file != directory && (file >= kMostFiles || !wasOpen[file]);
  });
  return count;
}

/// The memory of its strings stays: arguments live as long as the process. It is not from `malloc`,
/// which may be the program's own, with counters.
struct Request {
  const char *directory = "", *workingDirectory = "";
  int argumentCount = 0;
  char **arguments = nullptr;
  void *memory = nullptr;
  std::size_t memorySize = 0;
  int files[RunRequest::kMostFiles];
  unsigned fileCount = 0;
};

bool readRequest(int socket, Request &request) {
  RunRequest head;
  int files =
      MessageWithFiles<RunRequest::kMostFiles>(&head, sizeof head).receive(socket, request.files);
  if (files < 0)
    return false;
  request.fileCount = static_cast<unsigned>(files);
  for (unsigned i = 0; i < request.fileCount; ++i)
    if (int file = request.files[i]; file <= STDERR_FILENO) { // the program has closed its own
      request.files[i] = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      close(file);
    }
  request.memorySize = (std::size_t{head.arguments} + 1) * sizeof(char *) + head.textSize + 1;
  request.memory =
      mmap(nullptr, request.memorySize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (request.memory == MAP_FAILED)
    return false;
  request.arguments = static_cast<char **>(request.memory);
  char *text = reinterpret_cast<char *>(request.arguments + head.arguments + 1);
  if (!receiveAll(socket, text, head.textSize))
    return false;
  text[head.textSize] = 0;
  const char *end = text + head.textSize;
  auto next = [&]() -> char * {
    char *word = text;
    text += text < end ? strlen(text) + 1 : 0;
    return word;
  };
  request.directory = next();
  request.workingDirectory = next();
  request.argumentCount = static_cast<int>(head.arguments);
  for (std::uint32_t i = 0; i < head.arguments; ++i)
    request.arguments[i] = next();
  return request.fileCount == head.files; // fewer: too many are open
}

/// Makes the child what a process started for this test would be.
bool becomeTest(const Request &request) {
  restartCounters(request.directory, request.files + 2, request.fileCount - 2);
  if (dup2(request.files[0], STDOUT_FILENO) < 0 || dup2(request.files[1], STDERR_FILENO) < 0)
    return false;
  close(request.files[0]);
  close(request.files[1]);
  if (*request.workingDirectory && chdir(request.workingDirectory) != 0)
    return false;
  return setenv(kDirectoryVariable, request.directory, 1) == 0;
}

/// The process that answers requests.
class Server {
public:
  Server(int socket, Main main) : socket_(socket), main_(main) {}

  [[noreturn]] void run() {
    if (pipe2(taken_, O_CLOEXEC) != 0)
      _exit(125);
    for (pid_t next = startChild();;) {
      if (next < 0 && (next = startChild()) < 0) {
        refuse();
        continue;
      }
      awaitRequest(next);
      pid_t child = std::exchange(next, startChild());
      RunEnded ended = endOf(child);
      if (!sendAll(socket_, &ended, sizeof ended))
        _exit(0);
    }
  }

private:
  /// A child that takes the next request. It is there before the request: forking takes time, which
  /// so passes while the test before it runs.
  pid_t startChild() {
    pid_t server = getpid();
    unshareEdges();
    pid_t child = fork();
    if (child == 0)
      exit(beTest(server));
    shareEdges();
    return child;
  }

  int beTest(pid_t server) {
    // A test may end the server; whoever waits for its answer must see that it is gone.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    copyWrittenPages(socket_);
    Request request;
    if (getppid() != server || !readRequest(socket_, request))
      _exit(126);
    prctl(PR_SET_PDEATHSIG, 0);
    setpgid(0, 0); // before anybody may want to end its group
    // We say ourselves that we have begun: the test may end the server as its first deed, and must
    // not be taken for one that never ran.
    RunStarted started{getpid()};
    if (!sendAll(socket_, &started, sizeof started) || write(taken_[1], "", 1) != 1)
      _exit(126);
    close(socket_);
    close(taken_[0]);
    close(taken_[1]);
    if (!becomeTest(request))
      _exit(126);
    return main_(request.argumentCount, request.arguments, environ);
  }

  /// There is no child that could take it.
  void refuse() {
    Request request;
    RunStarted started{-1};
    if (!readRequest(socket_, request) || !sendAll(socket_, &started, sizeof started))
      _exit(0);
    for (unsigned i = 0; i < request.fileCount; ++i)
      close(request.files[i]);
    munmap(request.memory, request.memorySize);
  }

  /// Ends the server with the child if whoever asks is gone, or if the child is.
  void awaitRequest(pid_t child) {
    Handle handle(child);
    pollfd events[3] = {{taken_[0], POLLIN, 0}, {handle.file, POLLIN, 0}, {socket_, 0, 0}};
    while (poll(events, 3, -1) < 0 && errno == EINTR)
      ;
    if (!(events[0].revents & POLLIN)) // a child that took it and ended at once, between two looks
      poll(events, 1, 0);
    char byte;
    if (!(events[0].revents & POLLIN) || read(taken_[0], &byte, 1) != 1) {
      kill(child, SIGKILL);
      _exit(0);
    }
  }

  RunEnded endOf(pid_t child);
  void awaitEnd(pid_t child);

  /// Shows in `poll` when a process ends. Less than 0 with Linux before 5.3.
  struct Handle {
    explicit Handle(pid_t process) : file(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {}
    ~Handle() {
      if (file >= 0)
        close(file);
    }
    Handle(const Handle &) = delete;

    int file;
  };

  int socket_;
  Main main_;
  int taken_[2] = {-1, -1}; ///< a child writes here when it has a request
};

/// Waits until the child has ended, or whoever asked for it is gone: then it is ended, with its
/// group. A test does not outlive a recorder that was killed.
void Server::awaitEnd(pid_t child) {
  Handle handle(child);
  if (handle.file < 0)
    return;
  pollfd events[2] = {{handle.file, POLLIN, 0}, {socket_, 0, 0}}; // of the socket: its hang-up
  while (poll(events, 2, -1) < 0 && errno == EINTR)
    ;
  if (!events[0].revents && events[1].revents) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL); // it may have left its group
  }
}

RunEnded Server::endOf(pid_t child) {
  awaitEnd(child);
  RunEnded ended{};
  rusage usage{};
  int status = 0;
  pid_t waited;
  while ((waited = wait4(child, &status, 0, &usage)) < 0 && errno == EINTR)
    ;
  if (waited != child)
    _exit(125); // how it ended is not known
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

/// SIGCHLD is ignored, so that the kernel forgets how children ended, or handled, by somebody who
/// may ask for them before us.
bool losesChildren() {
  struct sigaction action;
  return sigaction(SIGCHLD, nullptr, &action) != 0 || action.sa_handler != SIG_DFL ||
         (action.sa_flags & SA_NOCLDWAIT) != 0;
}

/// Also those that have ended, and nobody has asked for, and those whose end sends no signal.
bool hasChildren() {
  siginfo_t child;
  return waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

bool hasTimers() {
  for (auto kind : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer;
    if (getitimer(kind, &timer) != 0 || timerisset(&timer.it_value))
      return true;
  }
  return wasTimerMade;
}

/// What a program shares with its children, other than our counter files: what one of them writes
/// there, the others see.
bool sharesMemory() {
  const char *ours = getenv(kDirectoryVariable);
  bool shares = false;
  bool isKnown = forEachMapping([&](const Mapping &mapping) {
    shares |= mapping.rights[1] == 'w' && mapping.rights[3] == 's' &&
              !(ours && strncmp(mapping.path, ours, strlen(ours)) == 0);
  });
  return shares || !isKnown;
}

} // namespace

void adoptOrphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void noteTimer() { wasTimerMade = true; }

void noteOpenFiles() {
  forEachNumber("/proc/self/fd", [](int file, int directory) {
    if (file != directory && file < kMostFiles)
      wasOpen[file] = true;
  });
}

void serve(int socket, Main main) {
  ServerHello hello{ServerHello::kMagic, static_cast<std::uint32_t>(countThreads()),
                    countOwnFiles(),     countedModules(),
                    losesChildren(),     hasTimers(),
                    sharesMemory(),      hasChildren()};
  prctl(PR_SET_CHILD_SUBREAPER, 0); // those of tests are nobody's, as usual
  noteSharedPages();
  if (!sendAll(socket, &hello, sizeof hello))
    _exit(125);
  Server(socket, main).run();
}

} // namespace retest::preload
