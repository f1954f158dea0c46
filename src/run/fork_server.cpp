#include "run/fork_server.h"

#include "run/preload/protocol.h"
#include "run/preload_library.h"
#include "support/error.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace retest {

namespace {

using Clock = std::chrono::steady_clock;

bool sendAll(int socket, llvm::StringRef data) {
  while (!data.empty()) {
    ssize_t count = send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    data = data.drop_front(static_cast<std::size_t>(count));
  }
  return true;
}

} // namespace

llvm::Expected<ForkServer> ForkServer::start(const ServerCommand &command) {
  assert(!command.arguments.empty() && "a command names its program");
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return error("{}: no socket for it: {}", command.arguments.front(), std::strerror(errno));
  // What it writes before `main` is nobody's: it would be written once, not once for each test.
  ChildCommand child{command.arguments, command.directory, command.environment};
  addPreload(command.counterDirectory, child.environment);
  child.environment.emplace_back(preload::kServerVariable, std::to_string(sockets[1]));
  child.kept = {sockets[1]};
  std::optional<FileMonitor> monitor;
  llvm::Expected<ChildProcess> process = startWatched(child, command.watched, monitor);
  close(sockets[1]);
  if (!process) {
    close(sockets[0]);
    return process.takeError();
  }
  ForkServer server(sockets[0], std::move(*process), std::move(monitor));
  if (llvm::Error failed = server.greet(command.timeout))
    return error("{}: {}", command.arguments.front(), llvm::toString(std::move(failed)));
  return server;
}

ForkServer::ForkServer(ForkServer &&other) noexcept
    : socket_(std::exchange(other.socket_, -1)), process_(std::move(other.process_)),
      monitor_(std::move(other.monitor_)), filesBeforeMain_(std::move(other.filesBeforeMain_)),
      objection_(std::move(other.objection_)) {}

ForkServer::~ForkServer() {
  if (socket_ >= 0)
    close(socket_);
}

llvm::Error ForkServer::greet(std::chrono::milliseconds timeout) {
  preload::ServerHello hello{};
  if (!waitFor(timeout))
    return error("did not come to its main within {} ms; its tests run in one process each",
                 timeout.count());
  if (llvm::Error failed = receive(&hello, sizeof hello)) {
    llvm::consumeError(std::move(failed));
    return error("cannot be kept at its main (a static executable?); its tests run in one process "
                 "each");
  }
  if (hello.magic != preload::ServerHello::kMagic)
    return error("the preloaded library is of another version of retest");
  if (monitor_)
    filesBeforeMain_ = monitor_->take();
  if (hello.threads > 1)
    objection_ = fmt::format("{} threads run before main", hello.threads);
  else if (hello.descriptors > 0)
    objection_ =
        fmt::format("{} open before main", hello.descriptors == 1
                                               ? std::string("1 file is")
                                               : fmt::format("{} files are", hello.descriptors));
  else if (hello.modules == 0)
    objection_ = "has no counters: it was not built for coverage";
  return llvm::Error::success();
}

llvm::Expected<RunEnd> ForkServer::run(const ServerRun &run) {
  std::string text;
  for (const std::string &part :
       {run.counterDirectory, run.outputFile, run.errorFile, run.directory})
    text += part + '\0';
  for (const std::string &argument : run.arguments)
    text += argument + '\0';
  preload::RunRequest request{static_cast<std::uint32_t>(run.arguments.size()),
                              static_cast<std::uint32_t>(text.size())};
  Clock::time_point begin = Clock::now();
  if (!sendAll(socket_, {reinterpret_cast<const char *>(&request), sizeof request}) ||
      !sendAll(socket_, text))
    return error("the fork server is gone");
  preload::RunStarted started{};
  if (llvm::Error failed = receive(&started, sizeof started))
    return failed;
  if (started.process <= 0)
    return error("the fork server cannot fork");
  RunEnd end;
  if (!waitFor(run.timeout)) {
    end.timedOut = true;
    kill(-started.process, SIGKILL);
  }
  preload::RunEnded ended{};
  if (llvm::Error failed = receive(&ended, sizeof ended))
    return failed;
  kill(-started.process, SIGKILL); // what the test started and left behind
  if (monitor_)
    end.files = monitor_->take(started.process);
  end.wall = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
  end.signal = ended.isSignalled ? ended.status : 0;
  end.exitCode = ended.isSignalled ? 0 : ended.status;
  end.user = std::chrono::microseconds(ended.userMicroseconds);
  end.system = std::chrono::microseconds(ended.systemMicroseconds);
  end.maxResidentKilobytes = ended.maxResidentKilobytes;
  return end;
}

/// Whether the server says something, or is gone, before the time is up.
bool ForkServer::waitFor(std::optional<std::chrono::milliseconds> timeout) const {
  Clock::time_point deadline =
      timeout ? Clock::now() + *timeout : Clock::time_point(Clock::duration::max());
  for (;;) {
    int wait = -1;
    if (timeout) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      wait = static_cast<int>(std::clamp<long long>(left.count(), 0, 60'000));
    }
    pollfd readable{socket_, POLLIN, 0};
    int count = poll(&readable, 1, wait);
    if (count > 0)
      return true;
    if (timeout && Clock::now() >= deadline)
      return false;
  }
}

llvm::Error ForkServer::receive(void *data, std::size_t size) {
  for (char *next = static_cast<char *>(data); size != 0;) {
    ssize_t count = read(socket_, next, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return error("the fork server is gone");
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return llvm::Error::success();
}

} // namespace retest
