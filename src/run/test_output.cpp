#include "run/test_output.h"

#include "support/error.h"

#include <llvm/ADT/ScopeExit.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace retest {

namespace {

/// How much a file may grow beyond its limit before its middle goes.
constexpr std::size_t kSlack = std::size_t{16} << 20;

std::string readPart(int file, std::size_t begin, std::size_t size) {
  std::string text(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    ssize_t count = pread(file, text.data() + done, size - done, static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

} // namespace

bool TestOutput::keepSmall() {
  struct stat state{};
  if (stat(path_.c_str(), &state) != 0)
    return true;
  auto size = static_cast<std::size_t>(state.st_size);
  std::size_t begin = std::max(limit_ / 2, freedUntil_);
  if (size < begin + limit_ / 2 + kSlack)
    return true;
  int file = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  auto closeFile = llvm::make_scope_exit([&] { close(file); });
  std::size_t end = size - limit_ / 2;
  if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(end - begin)) != 0)
    return false;
  freedUntil_ = end;
  return true;
}

std::string TestOutput::read() const {
  int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return "";
  auto closeFile = llvm::make_scope_exit([&] { close(file); });
  struct stat state{};
  if (fstat(file, &state) != 0)
    return "";
  auto size = static_cast<std::size_t>(state.st_size);
  if (size <= limit_)
    return readPart(file, 0, size);
  std::size_t half = limit_ / 2;
  return readPart(file, 0, half) +
         fmt::format("\n[retest: {} bytes are left out here]\n", size - 2 * half) +
         readPart(file, size - half, half);
}

} // namespace retest
