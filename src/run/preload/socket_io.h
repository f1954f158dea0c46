#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
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

/// A small message with open files, at most `kMost` of them.
template <std::size_t kMost> class MessageWithFiles {
public:
  MessageWithFiles(void *data, std::size_t size) : part_{data, size} {
    head_.msg_iov = &part_;
    head_.msg_iovlen = 1;
    head_.msg_control = room_;
  }

  bool send(int socket, const int *files, std::size_t count) {
    head_.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr *control = CMSG_FIRSTHDR(&head_);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(control), files, count * sizeof(int));
    ssize_t sent;
    while ((sent = sendmsg(socket, &head_, MSG_NOSIGNAL)) < 0 && errno == EINTR)
      ;
    return sent == static_cast<ssize_t>(part_.iov_len);
  }

  /// How many files came; less than 0: the other end is gone.
  int receive(int socket, int *files) {
    head_.msg_controllen = sizeof room_;
    ssize_t received;
    while ((received = recvmsg(socket, &head_, MSG_WAITALL | MSG_CMSG_CLOEXEC)) < 0 &&
           errno == EINTR)
      ;
    if (received != static_cast<ssize_t>(part_.iov_len))
      return -1;
    const cmsghdr *control = CMSG_FIRSTHDR(&head_);
    if (!control || control->cmsg_type != SCM_RIGHTS)
      return 0;
    std::size_t size = control->cmsg_len - CMSG_LEN(0);
    memcpy(files, CMSG_DATA(control), size);
    return static_cast<int>(size / sizeof(int));
  }

private:
  alignas(cmsghdr) char room_[CMSG_SPACE(kMost * sizeof(int))] = {};
  iovec part_;
  msghdr head_ = {};
};

} // namespace retest::preload
