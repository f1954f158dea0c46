#pragma once

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace retest {

/// A socket for a name that is in no directory.
inline int socketFor(const char *place, sockaddr_un &address, socklen_t &size) {
  address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + 1, place, sizeof address.sun_path - 2);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + std::strlen(place));
  return socket(AF_UNIX, SOCK_STREAM, 0);
}

/// Starts a daemon that adds one to what it is asked.
inline void startAnswering(const char *place) {
  sockaddr_un address;
  socklen_t size;
  int listener = socketFor(place, address, size);
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 || listen(listener, 5) != 0)
    std::abort();
  pid_t between = fork();
  if (between == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    alarm(60);
    char byte;
    for (;;) { // no step of this is counted by itself until it has answered
      int client = accept(listener, nullptr, nullptr);
      if (read(client, &byte, 1) == 1 && ++byte != 0 && write(client, &byte, 1) == 1)
        close(client);
    }
  }
  close(listener);
  waitpid(between, nullptr, 0);
}

inline int ask(const char *place, char byte) {
  sockaddr_un address;
  socklen_t size;
  int server = socketFor(place, address, size);
  if (connect(server, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      write(server, &byte, 1) != 1 || read(server, &byte, 1) != 1)
    return -1;
  close(server);
  return byte;
}

} // namespace retest
