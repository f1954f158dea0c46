#include "run/run_program.h"

#include "run/file_monitor.h"
#include "run/preload_library.h"
#include "support/error.h"

#include <llvm/ADT/ScopeExit.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace retest {

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
  addPreload(run.counterDirectory, command.environment);
  auto begin = ChildProcess::Clock::now();
  std::optional<FileMonitor> monitor;
  llvm::Expected<ChildProcess> child = startWatched(command, run.watched, monitor);
  if (!child)
    return child.takeError();
  RunEnd end;
  end.timedOut = !child->endsBy(run.timeout ? std::optional(begin + *run.timeout) : std::nullopt);
  child->kill(); // also what the test started and left behind
  static_cast<ChildEnd &>(end) = child->reap();
  end.wall =
      std::chrono::duration_cast<std::chrono::microseconds>(ChildProcess::Clock::now() - begin);
  if (monitor)
    end.files = monitor->take();
  return end;
}

} // namespace retest
