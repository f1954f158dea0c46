#include "run/file_monitor.h"

#include "run/file_filter.h"
#include "run/observe_call.h"
#include "run/preload_library.h"
#include "support/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace retest {

/// What a monitor and its thread share.
struct FileMonitor::Watch {
  Watch(const WatchedPaths &paths) : observed(paths) {}
  ~Watch() {
    if (listener >= 0)
      close(listener);
  }

  int listener = -1;
  pid_t starter =
      0; ///< a thread of ours: what it does before it starts the child is not the test's
  std::string preload;
  std::mutex mutex;
  ObservedFiles observed;
  pid_t child = 0; ///< that was started
  /// The groups of the processes that did something, with the child's child that each comes from;
  /// 0: that has ended.
  std::map<pid_t, pid_t> groups;
  pid_t expected = 0; ///< whose group needs no origin
  bool isAbandoned = false;

  void answerAll();
  void answer(const seccomp_notif &call);
};

namespace {

// Not in older headers. The waker hands over its processor: one call costs less (Linux 6.6).
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
constexpr unsigned long kWakeOnSameProcessor = 1;

/// The kernel may hand over more than our headers know of.
std::size_t notificationSize() {
  seccomp_notif_sizes sizes{};
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0)
    return sizeof(seccomp_notif);
  return std::max<std::size_t>(sizes.seccomp_notif, sizeof(seccomp_notif));
}

/// One child is started under a filter at a time.
///
/// Until it has become another program, a child has what we have open. If we are killed then, it
/// would wait for ever for the answer to a call, since nobody closes the listener but itself, and
/// keep our locks meanwhile. So it closes its own listener first; and there is no second one that
/// two children could keep open for each other.
std::mutex &startMutex() {
  static std::mutex mutex;
  return mutex;
}

/// Whether there is a call to answer; no if all watched processes are gone.
bool waitForCall(int listener) {
  for (;;) {
    pollfd waiting{listener, POLLIN, 0};
    if (poll(&waiting, 1, -1) < 0 && errno == EINTR)
      continue;
    return (waiting.revents & POLLIN) != 0;
  }
}

} // namespace

void FileMonitor::Watch::answerAll() {
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, kWakeOnSameProcessor);
  std::vector<char> buffer(notificationSize());
  while (waitForCall(listener)) {
    std::fill(buffer.begin(), buffer.end(), 0);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, buffer.data()) != 0)
      continue; // the process was killed meanwhile
    seccomp_notif call;
    std::memcpy(&call, buffer.data(), sizeof call);
    answer(call);
  }
}

void FileMonitor::Watch::answer(const seccomp_notif &call) {
  pid_t thread = static_cast<pid_t>(call.pid);
  if (std::lock_guard lock(mutex); !isAbandoned && thread != starter) {
    if (pid_t group = getpgid(thread);
        group > 0 && group != expected && child > 0 && !groups.contains(group))
      groups[group] = TracedProcess(thread).below(child);
    if (!observed.isDoubted())
      observeCall(call, listener, preload, observed);
  }
  seccomp_notif_resp response{};
  response.id = call.id;
  response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response); // fails if the process was killed
}

llvm::Expected<std::pair<ChildProcess, FileMonitor>> FileMonitor::start(const ChildCommand &command,
                                                                        const WatchedPaths &paths) {
  auto watch = std::make_shared<Watch>(paths);
  std::error_code ignored;
  watch->preload = std::filesystem::canonical(preloadLibrary(), ignored);
  // A filter holds for one thread and what it starts: a thread of its own puts it on and starts the
  // child. Whoever answers must not be under it.
  std::lock_guard oneAtATime(startMutex());
  std::promise<llvm::Expected<int>> listener;
  std::optional<llvm::Expected<ChildProcess>> started;
  std::thread starter([&] {
    watch->starter = static_cast<pid_t>(syscall(SYS_gettid));
    // Between the filter and its listener's being handed over nothing may open a file, for nobody
    // would answer; the first allocation of a thread does.
    ChildCommand withoutListener = command;
    withoutListener.closed.push_back(-1);
    llvm::Expected<int> filter = installFileFilter();
    bool isInstalled = static_cast<bool>(filter);
    if (isInstalled)
      withoutListener.closed.back() = *filter;
    listener.set_value(std::move(filter));
    if (isInstalled)
      started.emplace(ChildProcess::start(withoutListener));
  });
  llvm::Expected<int> filter = listener.get_future().get();
  if (filter) {
    watch->listener = *filter;
    std::thread([watch] { watch->answerAll(); }).detach();
  }
  starter.join();
  if (!filter)
    return filter.takeError();
  if (!*started)
    return started->takeError();
  {
    std::lock_guard lock(watch->mutex);
    watch->child = (*started)->id();
  }
  return std::pair(std::move(**started), FileMonitor(std::move(watch)));
}

FileMonitor::~FileMonitor() {
  if (!watch_)
    return;
  std::lock_guard lock(watch_->mutex);
  watch_->isAbandoned = true;
}

void FileMonitor::expect(pid_t process) {
  std::lock_guard lock(watch_->mutex);
  watch_->expected = process;
}

FileObservations FileMonitor::take() {
  std::lock_guard lock(watch_->mutex);
  watch_->groups.clear();
  return watch_->observed.take();
}

FileObservations FileMonitor::take(pid_t process) {
  std::lock_guard lock(watch_->mutex);
  for (auto [group, origin] : watch_->groups)
    if (group != process && origin != process)
      watch_->observed.doubt("ran beside a process that may be left from an earlier test");
  watch_->groups.clear();
  watch_->expected = 0;
  return watch_->observed.take();
}

llvm::Expected<ChildProcess> startWatched(const ChildCommand &command,
                                          const std::optional<WatchedPaths> &paths,
                                          std::optional<FileMonitor> &monitor) {
  if (!paths)
    return ChildProcess::start(command);
  llvm::Expected<std::pair<ChildProcess, FileMonitor>> started =
      FileMonitor::start(command, *paths);
  if (!started)
    return started.takeError();
  monitor.emplace(std::move(started->second));
  return std::move(started->first);
}

llvm::Error canWatchFiles() {
  std::promise<llvm::Expected<int>> listener;
  std::thread([&] { listener.set_value(installFileFilter()); }).join();
  llvm::Expected<int> filter = listener.get_future().get();
  if (!filter)
    return filter.takeError();
  // The end of the thread must show, else the end of a test would not.
  pollfd ended{*filter, POLLIN, 0};
  int count = poll(&ended, 1, 5000);
  close(*filter);
  if (count <= 0)
    return error("cannot watch the files of tests: Linux 5.9 or later is needed");
  return llvm::Error::success();
}

} // namespace retest
