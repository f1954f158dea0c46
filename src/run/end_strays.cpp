#include "run/end_strays.h"

#include "run/preload/protocol.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace retest {

namespace {

constexpr int kMostPatience = 5000; // milliseconds

/// Whether the environment that a process was started with has such an entry.
bool wasStartedWith(llvm::StringRef entry, pid_t process) {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(process) + "/environ");
  if (!file)
    return false;
  llvm::StringRef rest = (*file)->getBuffer();
  while (!rest.empty()) {
    llvm::StringRef variable;
    std::tie(variable, rest) = rest.split('\0');
    if (variable.starts_with(entry))
      return true;
  }
  return false;
}

} // namespace

unsigned endStrays(const std::string &directory) {
  // A child of a fork server has the server's environment: its own is in memory only, but the
  // server's names a directory below as well.
  return endStartedWith(std::string(preload::kDirectoryVariable) + "=" + directory + "/");
}

unsigned endStartedWith(llvm::StringRef entry) {
  unsigned count = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator each("/proc", code), end; each != end && !code;
       each.increment(code)) {
    pid_t process = 0;
    if (llvm::sys::path::filename(each->path()).getAsInteger(10, process) || process == getpid())
      continue;
    // The handle is taken first, so that the number cannot become another process's.
    int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (handle < 0)
      continue;
    if (wasStartedWith(entry, process) &&
        syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0) == 0) {
      ++count;
      // Until it is gone it may make files.
      pollfd ended{handle, POLLIN, 0};
      poll(&ended, 1, kMostPatience);
    }
    close(handle);
  }
  return count;
}

} // namespace retest
