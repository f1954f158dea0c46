#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace retest {

/// The child of our parent beside us; 0: there is none. Only for who has a parent of his own.
inline pid_t findSibling() {
  if (getppid() <= 1)
    std::abort();
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    pid_t process = std::atoi(entry.path().filename().c_str());
    std::ifstream status(entry.path() / "status");
    for (std::string line; process > 0 && process != getpid() && std::getline(status, line);)
      if (line == "PPid:\t" + std::to_string(getppid()))
        return process;
  }
  return 0;
}

/// The same, when it is there.
inline pid_t awaitSibling() {
  for (;;) {
    if (pid_t sibling = findSibling(); sibling != 0)
      return sibling;
    usleep(1000);
  }
}

} // namespace retest
