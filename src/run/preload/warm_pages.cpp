#include "run/preload/warm_pages.h"

#include "run/preload/page_size.h"
#include "run/preload/proc_maps.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace retest::preload {
namespace {

/// That are looked at, and that are copied: copying more would take longer than a short test runs.
constexpr std::size_t kMostPages = 16384, kMostCopies = 512;
/// Between two looks for the request.
constexpr std::size_t kStep = 32;
constexpr std::uint64_t kIsExclusive = std::uint64_t{1} << 56; ///< in /proc/self/pagemap

/// Seen by all children.
struct Written {
  std::atomic<bool> isKnown;
  bool pages[kMostPages]; ///< those of the first range first
};

struct Range {
  std::uintptr_t begin;
  std::size_t pages, first; ///< `first`: in Written::pages
};

constexpr unsigned kMostRanges = 64;
Range ranges[kMostRanges];
unsigned rangeCount = 0;
Written *written = nullptr;
bool isLearning = false; ///< this child shows what it writes

bool hasRequest(int socket) {
  pollfd event{socket, POLLIN, 0};
  return poll(&event, 1, 0) != 0;
}

} // namespace

void noteSharedPages() {
  std::size_t pages = 0;
  forEachMapping([&](const Mapping &mapping) {
    std::size_t size = (mapping.end - mapping.begin) / pageSize();
    if (strncmp(mapping.rights, "rw-p", 4) != 0 || rangeCount == kMostRanges ||
        size > kMostPages - pages)
      return;
    ranges[rangeCount++] = {mapping.begin, size, pages};
    pages += size;
  });
  void *shared =
      mmap(nullptr, sizeof(Written), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED)
    written = static_cast<Written *>(shared);
}

void copyWrittenPages(int socket) {
  isLearning = written && !written->isKnown;
  if (!written || isLearning)
    return;
  std::size_t copied = 0;
  for (unsigned i = 0; i < rangeCount; ++i) {
    const bool *isWritten = written->pages + ranges[i].first;
    for (std::size_t begin = 0, end = 0; begin < ranges[i].pages; begin = end) {
      bool isRun = isWritten[begin];
      for (end = begin; end < ranges[i].pages && end - begin < kStep && isWritten[end] == isRun;)
        ++end;
      if (!isRun)
        continue;
      copied += end - begin;
      // Before Linux 5.14 nothing can be copied, and the test pays for its faults.
      if (copied > kMostCopies || hasRequest(socket) ||
          madvise(reinterpret_cast<void *>(ranges[i].begin + begin * pageSize()),
                  (end - begin) * pageSize(), MADV_POPULATE_WRITE) != 0)
        return;
    }
  }
}

void noteWrittenPages() {
  if (!isLearning)
    return;
  isLearning = false;
  int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0)
    return;
  for (unsigned i = 0; i < rangeCount; ++i)
    for (std::size_t page = 0; page < ranges[i].pages;) {
      std::uint64_t entries[512];
      std::size_t count = ranges[i].pages - page;
      if (count > 512)
        count = 512;
      off_t place = static_cast<off_t>((ranges[i].begin / pageSize() + page) * sizeof *entries);
      if (pread(map, entries, count * sizeof *entries, place) !=
          static_cast<ssize_t>(count * sizeof *entries))
        break;
      for (std::size_t k = 0; k < count; ++k)
        if (entries[k] & kIsExclusive)
          written->pages[ranges[i].first + page + k] = true;
      page += count;
    }
  close(map);
  written->isKnown = true;
}

} // namespace retest::preload
