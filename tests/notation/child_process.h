#pragma once

#include <functional>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace retest {

/// Runs `action` in a child process and gives the child's id.
inline pid_t startChild(const std::function<int()> &action) {
  pid_t child = fork();
  if (child == 0)
    _exit(action());
  return child;
}

/// Waits for a child: its exit code, or -1 if a signal ended it.
inline int waitForChild(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline int runInChild(const std::function<int()> &action) {
  return waitForChild(startChild(action));
}

/// As a user who may not write, in case the tests run as root. For a child process only.
inline void giveUpRights() {
  if (getuid() == 0 && (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0))
    _exit(99);
}

} // namespace retest
