#include "run/run_program.h"

#include "run/file_monitor.h"
#include "run/preload_library.h"
#include "support/error.h"

#include <llvm/ADT/ScopeExit.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace retest {

namespace {

void waitFor(const ChildProcess &child, const ProgramRun &run, RunWatch::TimePoint begin,
             RunEnd &end) {
  std::optional<RunWatch::TimePoint> deadline;
  if (run.timeout)
    deadline = begin + *run.timeout;
  for (;;) {
    std::optional<RunWatch::TimePoint> next = deadline;
    if (run.watch) {
      auto look = ChildProcess::Clock::now() + run.watch->interval;
      next = deadline ? std::min(*deadline, look) : look;
    }
    if (child.endsBy(next))
      return;
    if (run.watch && run.watch->look(deadline)) {
      end.wasEnded = true;
      return;
    }
    if (deadline && ChildProcess::Clock::now() >= *deadline) {
      end.timedOut = true;
      return;
    }
  }
}

} // namespace

llvm::Expected<RunEnd> runProgram(const ProgramRun &run) {
  int files[2] = {-1, -1};
  auto closeFiles = llvm::make_scope_exit([&] {
    for (int file : files)
      if (file >= 0)
        close(file);
  });
  const std::string *paths[2] = {&run.outputFile, &run.errorFile};
  for (int i = 0; i < 2; ++i) {
    files[i] = open(paths[i]->c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (files[i] < 0)
      return error("{}: cannot be written: {}", *paths[i], std::strerror(errno));
  }
  ChildCommand command{run.arguments, run.directory, run.environment, -1, files[0], files[1]};
  command.removed = run.removed;
  command.hasOwnSession = true;
  addPreload(run.counterDirectory, command.environment);
  auto begin = ChildProcess::Clock::now();
  std::optional<FileMonitor> monitor;
  llvm::Expected<ChildProcess> child = startWatched(command, run.watched, monitor);
  if (!child)
    return child.takeError();
  RunEnd end;
  waitFor(*child, run, begin, end);
  end.group = child->id();
  child->kill(); // also what the test started and left behind
  static_cast<ChildEnd &>(end) = child->reap();
  end.wall =
      std::chrono::duration_cast<std::chrono::microseconds>(ChildProcess::Clock::now() - begin);
  if (monitor)
    end.files = monitor->take();
  return end;
}

} // namespace retest
