#include "run/run_directory.h"

#include "run/preload/protocol.h"
#include "run/suite_directory.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <tuple>
#include <unistd.h>

namespace retest {

llvm::Expected<std::unique_ptr<RunDirectory>> RunDirectory::make(const std::string &base,
                                                                 StrayProcesses *strays) {
  static std::atomic<unsigned> number = 0; // nobody else makes directories there
  std::string path = fmt::format("{}/run-{}", base, number++);
  if (auto code = llvm::sys::fs::create_directory(path, /*IgnoreExisting=*/false))
    return error("{}: no directory can be made there: {}", base, code.message());
  std::unique_ptr<RunDirectory> directory(new RunDirectory(std::move(path), strays));
  if (auto code = llvm::sys::fs::create_directory(directory->counters()))
    return error("{}: cannot be made: {}", directory->counters(), code.message());
  if (strays && symlink(strays->lateDirectory().c_str(), (*directory / "closed").c_str()) != 0)
    return error("{}: no link can be made there: {}", base, std::strerror(errno));
  return directory;
}

RunDirectory::~RunDirectory() {
  if (!strays_) {
    removeAll(path_);
    return;
  }
  if (!isClosed_)
    close(/*group=*/0);
  std::error_code code;
  const std::string way = *this / "counters";
  for (llvm::sys::fs::directory_iterator each(path_, code), end; each != end && !code;
       each.increment(code))
    if (each->path() != way)
      removeAll(each->path());
  strays_->removeAtEnd(path_);
}

std::string RunDirectory::lostCounters() const {
  char reason[256];
  ssize_t size =
      readlink((*this / "counters" + preload::kLostSuffix).c_str(), reason, sizeof reason);
  return size > 0 ? std::string(reason, static_cast<std::size_t>(size)) : "";
}

void RunDirectory::close(pid_t group) {
  if (!strays_)
    return;
  const std::string counters = *this / "counters", closed = *this / "closed";
  isClosed_ = renameat2(AT_FDCWD, counters.c_str(), AT_FDCWD, closed.c_str(), RENAME_EXCHANGE) == 0;
  if (!isClosed_ && errno == EINVAL && unlink(closed.c_str()) == 0) {
    // A file system that cannot do it in one step. Whoever comes between these aborts.
    isClosed_ = rename(counters.c_str(), closed.c_str()) == 0;
    std::ignore = symlink(strays_->lateDirectory().c_str(), counters.c_str());
  }
  hasStrays_ = strays_->find(this->counters(), group);
}

} // namespace retest
