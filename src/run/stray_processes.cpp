#include "run/stray_processes.h"

#include "run/preload/protocol.h"
#include "run/suite_directory.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace retest {

namespace {

/// For the end of a process that was killed.
constexpr int kMostPatience = 10'000; // milliseconds
/// To look at more would take longer than the tests do: then one of them counts as at work.
constexpr std::size_t kMostProcesses = 64;

bool isBeingMade(llvm::StringRef path) { return path.ends_with(".new"); }

/// Who has begun a counter file, and has not said that nothing more will come.
std::optional<pid_t> counting(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  if (pid_t process = 0; isBeingMade(path) && !name.consumeInteger(10, process))
    return process;
  if (!name.ends_with(".counters"))
    return std::nullopt;
  int file = open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0)
    return std::nullopt;
  preload::CounterFileHeader header;
  ssize_t size = pread(file, &header, sizeof header, 0);
  close(file);
  if (size != sizeof header || header.magic != preload::CounterFileHeader::kMagic ||
      header.hasEnded)
    return std::nullopt;
  return static_cast<pid_t>(header.process);
}

/// The handle is less than 0 with Linux before 5.3, or if too many files are open.
bool endsWithin(int milliseconds, pid_t process, int handle) {
  if (handle < 0)
    return kill(process, 0) != 0 && errno == ESRCH;
  pollfd ended{handle, POLLIN, 0};
  return poll(&ended, 1, milliseconds) > 0;
}

/// How often a thread has gone to sleep, or was stopped; nothing: it does not sleep.
std::optional<std::uint64_t> switchesOf(const std::string &thread) {
  auto file = llvm::MemoryBuffer::getFileAsStream(thread + "/status");
  if (!file)
    return std::nullopt;
  llvm::StringRef text = (*file)->getBuffer();
  std::uint64_t voluntary = 0, forced = 0;
  auto numberBehind = [&](llvm::StringRef field, std::uint64_t &number) {
    return !text.split(field).second.consumeInteger(10, number);
  };
  llvm::StringRef state = text.split("\nState:\t").second.take_front();
  if (state.empty() || !llvm::StringRef("STtZX").contains(state) ||
      !numberBehind("\nvoluntary_ctxt_switches:\t", voluntary) ||
      !numberBehind("\nnonvoluntary_ctxt_switches:\t", forced))
    return std::nullopt;
  return voluntary + forced;
}

/// Of all threads of a process, and of how often each woke up; nothing: one is at work.
std::optional<std::uint64_t> restOf(pid_t process) {
  const std::string threads = "/proc/" + std::to_string(process) + "/task";
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator each(threads, code), end; each != end && !code;
       each.increment(code), ++count) {
    std::uint64_t number = 0;
    std::optional<std::uint64_t> switches = switchesOf(each->path());
    if (!switches || llvm::sys::path::filename(each->path()).getAsInteger(10, number))
      return std::nullopt;
    sum += number * 0x9e3779b97f4a7c15 + *switches;
  }
  // The list may miss a thread that is started while another ends; the number of links does not.
  struct stat status;
  if (code || stat(threads.c_str(), &status) != 0 || status.st_nlink != count + 2)
    return std::nullopt;
  return sum;
}

} // namespace

StrayProcesses::StrayProcesses(const std::string &directory) : late_(directory + "/late") {
  // If it cannot be made, whoever comes late aborts.
  std::ignore = llvm::sys::fs::create_directory(late_);
}

StrayProcesses::~StrayProcesses() {
  for (const Process &process : processes_)
    if (process.handle >= 0)
      close(process.handle);
  for (const std::string &directory : removedAtEnd_)
    removeAll(directory);
  removeAll(late_);
}

void StrayProcesses::removeAtEnd(std::string directory) {
  std::lock_guard lock(mutex_);
  removedAtEnd_.push_back(std::move(directory));
}

bool StrayProcesses::find(const std::string &counters, pid_t group) {
  bool goesOn = false;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator each(counters, code), end; each != end && !code;
       each.increment(code))
    if (std::optional<pid_t> process = counting(each->path())) {
      std::lock_guard lock(mutex_);
      goesOn |= add(*process, group);
    }
  return goesOn;
}

/// Whether it is there.
bool StrayProcesses::add(pid_t process, pid_t group) {
  int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle < 0 && (errno == EINVAL || errno == ENOENT))
    return false; // it is gone: its number is that of a thread
  auto closeHandle = llvm::make_scope_exit([&] {
    if (handle >= 0)
      close(handle);
  });
  bool wasKilled = group > 0 && (process == group || getpgid(process) == group);
  if (endsWithin(wasKilled ? kMostPatience : 0, process, handle))
    return false;
  if (llvm::any_of(processes_, [&](const Process &each) { return each.id == process; }))
    return true;
  processes_.push_back({process, handle, restOf(process)});
  closeHandle.release();
  return true;
}

/// Whoever makes a file there is at work. Nobody wants it: the process itself has it open.
void StrayProcesses::findLate() {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator each(late_, code), end; each != end && !code;
       each.increment(code)) {
    ++activity_;
    std::optional<pid_t> process = counting(each->path());
    bool isThere = process && add(*process, /*group=*/0);
    if (!isThere || !isBeingMade(each->path()))
      std::ignore = llvm::sys::fs::remove(each->path());
  }
}

unsigned StrayProcesses::activity() {
  std::lock_guard lock(mutex_);
  findLate();
  llvm::erase_if(processes_, [&](const Process &process) {
    if (!endsWithin(0, process.id, process.handle))
      return false;
    if (process.handle >= 0)
      close(process.handle);
    ++activity_; // it may have worked until then
    return true;
  });
  if (processes_.size() > kMostProcesses)
    return ++activity_;
  for (Process &process : processes_) {
    std::optional<std::uint64_t> before = std::exchange(process.rest, restOf(process.id));
    activity_ += !process.rest || process.rest != before;
  }
  return activity_;
}

} // namespace retest
