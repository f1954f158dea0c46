/// Writes what marks record to the file that RETEST_TRACE names, each thing once for each process.
///
/// A line is written at once, whole, by one `write` to a file opened for appending: threads, forked
/// children and programs that a test starts share the file, and a crash loses nothing. The file is
/// opened anew each time, so a test may close all descriptors. Linked into each executable and
/// library of its own, hidden, so that the place of the call is an offset in a known file.

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start;

namespace {

constexpr std::size_t kSlots = 1 << 20, kTries = 64;

/// Keys of what is written. A full neighbourhood means writing again, never not writing.
std::atomic<std::uint64_t> written[kSlots];

char module[PATH_MAX]; ///< the file that this is linked into
char output[PATH_MAX]; ///< where to write, as it was when the program started

__attribute__((constructor(101))) void prepare() {
  Dl_info info{};
  if (!module[0] && dladdr(&__ehdr_start, &info) && info.dli_fname)
    if (!realpath(info.dli_fname, module))
      std::strncpy(module, info.dli_fname, sizeof module - 1);
  const char *path = std::getenv("RETEST_TRACE");
  if (!output[0] && path)
    std::strncpy(output, path, sizeof output - 1);
}

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15u;
  return (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
}

void writeLine(unsigned mark, long long value, std::uintptr_t offset) {
  char line[PATH_MAX + 80];
  int size = std::snprintf(line, sizeof line, "%u %lld %llx %s\n", mark, value,
                           static_cast<unsigned long long>(offset), module);
  int file = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  (void)!write(file, line, static_cast<std::size_t>(size));
  close(file);
}

} // namespace

extern "C" __attribute__((visibility("hidden"))) void
retest_trace_record(unsigned mark, long long value, const void *site) noexcept {
  auto place = reinterpret_cast<std::uintptr_t>(site);
  std::uint64_t key = mixed(mixed(place) + static_cast<std::uint64_t>(value)) | 1;
  std::size_t slot = key >> 44;
  for (std::size_t i = 0; i < kTries; ++i) {
    std::uint64_t there = written[(slot + i) % kSlots].load(std::memory_order_relaxed);
    if (there == key)
      return;
    if (there == 0)
      break;
  }
  int before = errno;
  if (!output[0])
    prepare();
  if (output[0]) {
    writeLine(mark, value, place - reinterpret_cast<std::uintptr_t>(&__ehdr_start));
    for (std::size_t i = 0; i < kTries; ++i) {
      std::uint64_t empty = 0;
      if (written[(slot + i) % kSlots].compare_exchange_strong(empty, key) || empty == key)
        break;
    }
  }
  errno = before;
}
