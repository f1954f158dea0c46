#include "run/suite_directory.h"

#include "run/end_strays.h"
#include "support/error.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/magic.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace retest {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
/// For what is there once: counters of servers, and output that comes between two looks at it.
constexpr std::uint64_t kSharedRoom = 256 * kMebibyte;
/// Two streams, their slack (TestOutput), and counters.
constexpr std::uint64_t kRoomPerJob = 64 * kMebibyte;
constexpr std::uint64_t kFull = kMebibyte;
constexpr char kPrefix[] = "retest-run-";

bool isInMemory(const std::string &directory) {
  struct statfs state{};
  return statfs(directory.c_str(), &state) == 0 && state.f_type == TMPFS_MAGIC;
}

std::optional<std::uint64_t> freeSpace(const std::string &directory) {
  struct statvfs state{};
  if (statvfs(directory.c_str(), &state) != 0)
    return std::nullopt;
  return std::uint64_t{state.f_bavail} * state.f_frsize;
}

std::optional<std::uint64_t> numberIn(const char *path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// Memory that programs can have without others being pushed out; in a container, of its share.
std::uint64_t freeMemory() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t kilobytes = 0;
  for (std::string line; std::getline(file, line);)
    if (llvm::StringRef text = line; text.consume_front("MemAvailable:")) {
      text.trim().consumeInteger(10, kilobytes);
      break;
    }
  std::uint64_t free = kilobytes * 1024;
  auto most = numberIn("/sys/fs/cgroup/memory.max");
  auto used = numberIn("/sys/fs/cgroup/memory.current");
  if (most && used)
    free = std::min(free, *most - std::min(*most, *used));
  return free;
}

/// The directory, open and locked; -1: it is no directory of ours, or somebody else's.
int lockDirectory(const std::string &path) {
  int file = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return -1;
  struct stat state{};
  if (fstat(file, &state) == 0 && state.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  close(file);
  return -1;
}

unsigned removeAbandonedIn(const std::string &place) {
  std::vector<std::string> found;
  llvm::SmallString<256> base; // as the environment of processes has it
  std::error_code failed = llvm::sys::fs::real_path(place, base);
  if (failed)
    return 0;
  for (llvm::sys::fs::directory_iterator entry(base, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (llvm::sys::path::filename(entry->path()).starts_with(kPrefix))
      found.push_back(entry->path());
  unsigned removed = 0;
  for (const std::string &path : found) {
    int lock = lockDirectory(path);
    if (lock < 0)
      continue;
    endStrays(path);
    removeAll(path);
    removed += !llvm::sys::fs::exists(path);
    close(lock);
  }
  return removed;
}

} // namespace

SuitePlaces suitePlaces(const std::string &onDisk, unsigned jobs) {
  SuitePlaces places{{}, onDisk, kSharedRoom + jobs * kRoomPerJob};
  const char *own = std::getenv("XDG_RUNTIME_DIR");
  for (const char *place : {"/dev/shm", own})
    if (place && *place == '/' && isInMemory(place))
      places.inMemory.emplace_back(place);
  return places;
}

llvm::Expected<SuiteDirectory> SuiteDirectory::makeIn(const std::string &place) {
  llvm::SmallString<256> base;
  if (std::error_code failed = llvm::sys::fs::real_path(place, base))
    return error("{}: {}", place, failed.message());
  for (unsigned attempts = 0; attempts < 100; ++attempts) {
    std::string path = (base + "/" + kPrefix + "XXXXXX").str();
    if (!mkdtemp(path.data()))
      return error("{}: no directory can be made there: {}", place, std::strerror(errno));
    int lock = lockDirectory(path);
    struct stat now{};
    // Whoever cleans up may have come before the lock.
    if (lock >= 0 && stat(path.c_str(), &now) == 0)
      return SuiteDirectory(path, lock);
    if (lock >= 0)
      close(lock);
  }
  return error("{}: directories vanish as soon as they are made there", place);
}

llvm::Expected<SuiteDirectory> SuiteDirectory::make(const SuitePlaces &places) {
  bool hasMemory = freeMemory() >= 2 * places.room;
  for (const std::string &place : places.inMemory)
    if (hasMemory && freeSpace(place).value_or(0) >= places.room) {
      llvm::Expected<SuiteDirectory> directory = makeIn(place);
      if (directory)
        return directory;
      llvm::consumeError(directory.takeError()); // it may not be ours to write
    }
  return makeIn(places.onDisk);
}

SuiteDirectory::SuiteDirectory(SuiteDirectory &&other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::exchange(other.lock_, -1)) {}

SuiteDirectory::~SuiteDirectory() {
  if (path_.empty())
    return;
  removeAll(path_);
  close(lock_);
}

unsigned removeAbandoned(const SuitePlaces &places) {
  unsigned removed = removeAbandonedIn(places.onDisk);
  for (const std::string &place : places.inMemory)
    removed += removeAbandonedIn(place);
  return removed;
}

void removeAll(const std::string &directory) {
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

bool isDiskFull(const std::string &directory) {
  return freeSpace(directory).value_or(kFull) < kFull;
}

} // namespace retest
