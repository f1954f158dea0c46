#include "support/process.h"

#include "support/error.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace retest {

namespace {

/// A file without a name that goes away with its descriptor.
class MemoryFile {
public:
  explicit MemoryFile(const char *label) : descriptor_(memfd_create(label, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() {
    if (isOpen())
      close(descriptor_);
  }

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool write(llvm::StringRef text) {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR)
        return false;
      text = text.drop_front(std::max<ssize_t>(count, 0));
    }
    return lseek(descriptor_, 0, SEEK_SET) == 0;
  }

  std::string content() const {
    std::string text;
    char buffer[1 << 16];
    for (;;) {
      const ssize_t count =
          pread(descriptor_, buffer, sizeof buffer, static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return text;
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }

private:
  int descriptor_;
};

} // namespace

llvm::Expected<ProcessResult> runProcess(const ProcessCommand &command) {
  assert(!command.arguments.empty() && "a command names its program");
  MemoryFile input("stdin"), output("stdout"), errors("stderr");
  if (!input.isOpen() || !output.isOpen() || !errors.isOpen() || !input.write(command.input))
    return error("{}: no memory for its streams: {}", command.arguments.front(),
                 std::strerror(errno));
  std::optional<ChildProcess::Clock::time_point> deadline;
  if (command.timeout)
    deadline = ChildProcess::Clock::now() + *command.timeout;
  llvm::Expected<ChildProcess> child =
      ChildProcess::start({command.arguments, command.directory, command.environment,
                           input.descriptor(), output.descriptor(), errors.descriptor(),
                           /*kept=*/{}, command.removed});
  if (!child)
    return child.takeError();
  ProcessResult result;
  result.timedOut = !child->endsBy(deadline);
  if (result.timedOut)
    child->kill();
  ChildEnd end = child->reap();
  result.signal = end.signal;
  result.exitCode = end.signal != 0 ? 128 + end.signal : end.exitCode;
  result.output = output.content();
  result.errors = errors.content();
  return result;
}

} // namespace retest
