#include "cli/signals.h"

#include "support/process.h"

#include <csignal>
#include <unistd.h>

namespace retest {

namespace {

// Only calls that are safe in a signal handler. Nothing needs tidying up: the store takes care
// of a killed writer.
void endNow(int signal) {
  killRunningProcesses();
  if (isatty(STDERR_FILENO)) {
    // Off the progress bar. Nothing can be done if this fails.
    [[maybe_unused]] ssize_t count = write(STDERR_FILENO, "\n", 1);
  }
  _exit(128 + signal);
}

} // namespace

void endOnSignals() {
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
      continue;
    struct sigaction action{};
    action.sa_handler = endNow;
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

} // namespace retest
