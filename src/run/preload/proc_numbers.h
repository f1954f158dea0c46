#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace retest::preload {

/// Calls `act` with each number in a directory of /proc, and with the descriptor of the directory.
/// False if it cannot be read. Allocates nothing: the process may be about to end in the middle of
/// anything.
template <class Act> bool forEachNumber(const char *directory, Act act) {
  struct Entry { // linux_dirent64
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
  };
  int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0)
    return false;
  alignas(Entry) char entries[512];
  long size;
  while ((size = syscall(SYS_getdents64, file, entries, sizeof entries)) > 0)
    for (long at = 0; at < size;) {
      const auto *entry = reinterpret_cast<const Entry *>(entries + at);
      at += entry->size;
      if (entry->name[0] >= '0' && entry->name[0] <= '9')
        act(atoi(entry->name), file);
    }
  close(file);
  return size == 0;
}

/// How many threads this process has, one that ended as the first of them included. A listing of
/// them may miss one that is started while another ends; if the number is 1, there is none beside
/// us, and nobody who could start one.
inline unsigned long countThreads() {
  struct stat status;
  if (stat("/proc/self/task", &status) != 0 || status.st_nlink < 3)
    return ULONG_MAX; // not known
  return status.st_nlink - 2;
}

} // namespace retest::preload
