#pragma once

#include <cerrno>
#include <cstddef>
#include <sys/socket.h>
#include <unistd.h>

namespace retest::preload {

// Whole messages over a stream socket, for both of its ends. Nothing but the C library.

/// False: the other end is gone.
inline bool receiveAll(int socket, void *data, std::size_t size) {
  for (char *next = static_cast<char *>(data); size != 0;) {
    ssize_t count = read(socket, next, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// False: the other end is gone. There is no SIGPIPE then.
inline bool sendAll(int socket, const void *data, std::size_t size) {
  for (const char *next = static_cast<const char *>(data); size != 0;) {
    ssize_t count = send(socket, next, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

} // namespace retest::preload
