#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace retest::preload {

/// A range of our memory, as /proc/self/maps tells.
struct Mapping {
  std::uintptr_t begin, end;
  const char *rights; ///< four characters, such as "rw-p"
  const char *path;   ///< empty: none
};

/// Calls `act` with each of them. False if they cannot be read. Allocates nothing: what a program
/// allocates before a fork, each of its children would have.
template <class Act> bool forEachMapping(Act act) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  char text[8192];
  std::size_t used = 0;
  ssize_t size;
  while ((size = read(file, text + used, sizeof text - 1 - used)) > 0) {
    used += static_cast<std::size_t>(size);
    text[used] = 0;
    char *line = text;
    while (char *end = strchr(line, '\n')) { // "55d0-55d1 rw-p 0000 08:01 1234    /path"
      *end = 0;
      char *next = line;
      Mapping mapping{};
      mapping.begin = strtoull(next, &next, 16);
      mapping.end = strtoull(next + 1, &next, 16);
      mapping.rights = next + 1;
      const char *path = strchr(line, '/');
      mapping.path = path ? path : "";
      act(mapping);
      line = end + 1;
    }
    used -= static_cast<std::size_t>(line - text);
    memmove(text, line, used);
  }
  close(file);
  return size == 0 && used == 0;
}

} // namespace retest::preload
