#include "support/file_state.h"

#include "support/bytes.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace retest {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kStatesVersion = 1;
constexpr std::size_t kSmallestState = 6 + 16; // bytes of one encoded state

std::int64_t nanoseconds(const timespec &time) { return time.tv_sec * kSecond + time.tv_nsec; }

std::int64_t now() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

std::optional<FileStamp> stampOfFile(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return stampOf(status);
}

struct ReadFile {
  FileStamp stamp;
  Fingerprint content;
  bool isSettled;
};

std::optional<ReadFile> readFile(const char *path) {
  // Not blocking: a pipe in the place of a header must not hang the program.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return std::nullopt;
  auto close = llvm::make_scope_exit([&] { ::close(file); });
  // The stamp is taken before the bytes are: a write in between makes it differ next time.
  std::int64_t start = now();
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  std::string bytes;
  std::size_t used = 0;
  for (;;) {
    bytes.resize(std::max<std::size_t>(used + 4096, status.st_size + 1));
    ssize_t got = read(file, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0)
      break;
    used += got;
  }
  FileStamp stamp = stampOf(status);
  return ReadFile{stamp, fingerprintOf(llvm::StringRef(bytes.data(), used)),
                  isSettled(stamp, start)};
}

} // namespace

FileStamp stampOf(const struct stat &status) {
  return {static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim), status.st_ino, status.st_dev};
}

std::optional<FileStamp> stampOf(const std::string &path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return std::nullopt;
  return stampOf(status);
}

bool isSettled(const FileStamp &stamp, std::int64_t now) {
  return std::max(stamp.modified, stamp.changed) < now - 2 * kSecond;
}

std::optional<Fingerprint> FileStates::current(llvm::StringRef path) {
  llvm::SmallString<256> terminated(path);
  auto known = states_.find(path);
  if (known != states_.end()) {
    State &state = known->second;
    if (state.seenInRound == round_)
      return state.content;
    if (state.isSettled && stampOfFile(terminated.c_str()) == state.stamp) {
      state.seenInRound = round_;
      return state.content;
    }
  }
  std::optional<ReadFile> read = readFile(terminated.c_str());
  if (!read) {
    if (known != states_.end()) {
      states_.erase(known);
      isChanged_ = true;
    }
    return std::nullopt;
  }
  ++reads_;
  isChanged_ = true;
  states_[path] = {read->stamp, read->content, read->isSettled, round_};
  return read->content;
}

void FileStates::lookAgain() {
  ++round_;
  missing_ = MissingFiles();
}

std::string FileStates::encode() const {
  std::vector<const llvm::StringMapEntry<State> *> settled;
  for (const auto &entry : states_)
    if (entry.second.isSettled)
      settled.push_back(&entry);
  std::sort(settled.begin(), settled.end(),
            [](const auto *a, const auto *b) { return a->getKey() < b->getKey(); });
  ByteWriter bytes;
  bytes.number(kStatesVersion);
  bytes.number(settled.size());
  for (const auto *entry : settled) {
    const State &state = entry->second;
    bytes.text(entry->getKey());
    bytes.number(state.stamp.size);
    bytes.difference(state.stamp.modified);
    bytes.difference(state.stamp.changed);
    bytes.number(state.stamp.inode);
    bytes.number(state.stamp.device);
    bytes.fingerprint(state.content);
  }
  return bytes.take();
}

FileStates FileStates::decode(llvm::StringRef bytes) {
  FileStates files;
  ByteReader reader(bytes);
  if (reader.number() != kStatesVersion)
    return files;
  for (std::size_t count = reader.count(kSmallestState); count > 0; --count) {
    llvm::StringRef path = reader.text();
    State state;
    state.stamp.size = reader.number();
    state.stamp.modified = reader.difference();
    state.stamp.changed = reader.difference();
    state.stamp.inode = reader.number();
    state.stamp.device = reader.number();
    state.content = reader.fingerprint();
    state.isSettled = true;
    if (reader.hasFailed())
      return FileStates();
    files.states_[path] = state;
  }
  return reader.isAtEnd() && !reader.hasFailed() ? std::move(files) : FileStates();
}

} // namespace retest
