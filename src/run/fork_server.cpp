#include "run/fork_server.h"

#include "run/preload/protocol.h"
#include "run/preload/socket_io.h"
#include "run/preload_library.h"
#include "support/error.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace retest {

namespace {

using Clock = std::chrono::steady_clock;

/// For the news that a killed test is dead.
constexpr auto kMostPatience = std::chrono::seconds(10);

/// The open files that a request takes along.
class RequestFiles {
public:
  ~RequestFiles() {
    for (int file : files_)
      close(file);
  }

  llvm::Error open(const std::string &path, int how) {
    int file = ::open(path.c_str(), how | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
      return error("{}: cannot be written: {}", path, std::strerror(errno));
    files_.push_back(file);
    return llvm::Error::success();
  }

  const std::vector<int> &all() const { return files_; }

private:
  std::vector<int> files_;
};

llvm::Error openAll(const ServerRun &run, unsigned modules, RequestFiles &files) {
  for (const std::string &path : {run.outputFile, run.errorFile})
    if (llvm::Error failed = files.open(path, O_WRONLY | O_APPEND))
      return failed;
  for (unsigned i = 0; i < std::min(modules, preload::RunRequest::kMostCounterFiles); ++i)
    if (llvm::Error failed =
            files.open(fmt::format("{}/{}.counters", run.counterDirectory, i), O_RDWR | O_EXCL))
      return failed;
  return llvm::Error::success();
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
  child.removed = command.removed;
  child.hasOwnSession = true;
  std::optional<FileMonitor> monitor;
  llvm::Expected<ChildProcess> process = startWatched(child, command.watched, monitor);
  close(sockets[1]);
  if (!process) {
    close(sockets[0]);
    return process.takeError();
  }
  ForkServer server(sockets[0], std::move(*process), std::move(monitor));
  if (llvm::Error failed = server.greet(command))
    return error("{}: {}", command.arguments.front(), llvm::toString(std::move(failed)));
  return server;
}

ForkServer::ForkServer(ForkServer &&other) noexcept
    : socket_(std::exchange(other.socket_, -1)), process_(std::move(other.process_)),
      modules_(other.modules_), lastGroup_(other.lastGroup_), monitor_(std::move(other.monitor_)),
      filesBeforeMain_(std::move(other.filesBeforeMain_)), snapshot_(std::move(other.snapshot_)),
      objection_(std::move(other.objection_)) {}

ForkServer::~ForkServer() {
  if (socket_ >= 0)
    close(socket_);
}

llvm::Error ForkServer::greet(const ServerCommand &command) {
  preload::ServerHello hello{};
  RunEnd wait;
  const auto deadline = Clock::now() + command.timeout;
  waitWatched(deadline, command.watch, wait);
  if (wait.timedOut)
    return error("did not come to its main within {} ms; its tests run in one process each",
                 command.timeout.count());
  if (wait.wasEnded)
    return error("was ended before it came to its main");
  if (llvm::Error failed = receive(&hello.magic, sizeof hello.magic, deadline)) {
    llvm::consumeError(std::move(failed));
    return error("cannot be kept at its main (a static executable?); its tests run in one process "
                 "each");
  }
  // One of another version may say less than we wait for.
  constexpr std::size_t known = sizeof hello.magic;
  llvm::Error failed =
      hello.magic == preload::ServerHello::kMagic
          ? receive(reinterpret_cast<char *>(&hello) + known, sizeof hello - known, deadline)
          : error("it greets otherwise");
  if (failed)
    return error("the preloaded library is of another version of retest: {}",
                 llvm::toString(std::move(failed)));
  modules_ = hello.modules;
  if (monitor_) {
    filesBeforeMain_ = monitor_->take();
    snapshot_.emplace(filesBeforeMain_->files);
    snapshot_->addContents(filesBeforeMain_->files);
  }
  if (hello.threads > 1)
    objection_ = fmt::format("{} threads run before main", hello.threads);
  else if (hello.descriptors > 0)
    objection_ =
        fmt::format("{} open before main", hello.descriptors == 1
                                               ? std::string("1 file is")
                                               : fmt::format("{} files are", hello.descriptors));
  else if (hello.losesChildren)
    objection_ = "it ignores or handles SIGCHLD, so how its children end may not be told";
  else if (hello.hasTimers)
    objection_ = "it sets a timer before main, which its children would not have";
  else if (hello.sharesMemory)
    objection_ = "it shares memory with its children that it maps before main";
  else if (snapshot_ && snapshot_->wasRewritten())
    objection_ = "it changes files before main that it has looked at, so its starts differ";
  else if (hello.hasChildren)
    objection_ = "it has child processes before main";
  else if (hello.modules == 0)
    objection_ = "has no counters: it was not built for coverage";
  return llvm::Error::success();
}

llvm::Expected<RunEnd> ForkServer::run(const ServerRun &run) {
  lastGroup_ = 0;
  std::optional<RequestFiles> files(std::in_place);
  if (llvm::Error failed = openAll(run, modules_, *files))
    return failed;
  std::string text = run.counterDirectory + '\0' + run.directory + '\0';
  for (const std::string &argument : run.arguments)
    text += argument + '\0';
  preload::RunRequest request{static_cast<std::uint32_t>(run.arguments.size()),
                              static_cast<std::uint32_t>(text.size()),
                              static_cast<std::uint32_t>(files->all().size())};
  preload::MessageWithFiles<preload::RunRequest::kMostFiles> message(&request, sizeof request);
  Clock::time_point begin = Clock::now();
  if (!message.send(socket_, files->all().data(), files->all().size()) ||
      !preload::sendAll(socket_, text.data(), text.size()))
    return error("the fork server is gone");
  files.reset();
  if (run.onSent)
    run.onSent();
  RunEnd end;
  waitWatched(begin + run.mostStart, run.watch, end);
  if (end.timedOut || end.wasEnded)
    return error("the fork server does not answer");
  preload::RunStarted started{};
  if (llvm::Error failed = receive(&started, sizeof started))
    return failed;
  if (started.process <= 0)
    return error("the fork server cannot fork");
  lastGroup_ = started.process;
  if (monitor_)
    monitor_->expect(started.process);
  waitWatched(run.timeout ? std::optional(begin + *run.timeout) : std::nullopt, run.watch, end);
  if (end.timedOut || end.wasEnded) {
    kill(-started.process, SIGKILL);
    kill(started.process, SIGKILL); // it may have left its group
    if (!waitFor(Clock::now() + kMostPatience))
      return error("the fork server does not answer"); // the test may have stopped it
  }
  preload::RunEnded ended{};
  llvm::Error failed = receive(&ended, sizeof ended);
  kill(-started.process, SIGKILL); // what the test started and left behind
  if (failed)
    return failed;
  end.group = started.process;
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
bool ForkServer::waitFor(std::optional<RunWatch::TimePoint> deadline) const {
  for (;;) {
    int wait = -1;
    if (deadline) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      wait = static_cast<int>(std::clamp<long long>(left.count(), 0, 60'000));
    }
    pollfd readable{socket_, POLLIN, 0};
    if (poll(&readable, 1, wait) > 0)
      return true;
    if (deadline && Clock::now() >= *deadline)
      return false;
  }
}

void ForkServer::waitWatched(std::optional<RunWatch::TimePoint> deadline, const RunWatch *watch,
                             RunEnd &end) const {
  for (;;) {
    std::optional<RunWatch::TimePoint> next = deadline;
    if (watch) {
      auto look = Clock::now() + watch->interval;
      next = deadline ? std::min(*deadline, look) : look;
    }
    if (waitFor(next))
      return;
    end.wasEnded = watch && watch->look(deadline);
    end.timedOut = !end.wasEnded && deadline && Clock::now() >= *deadline;
    if (end.wasEnded || end.timedOut)
      return;
  }
}

llvm::Error ForkServer::receive(void *data, std::size_t size,
                                std::optional<RunWatch::TimePoint> deadline) {
  for (char *next = static_cast<char *>(data); size != 0;) {
    if (deadline && !waitFor(deadline))
      return error("the fork server does not answer");
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
