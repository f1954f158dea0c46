#include "cli/signals.h"

#include "support/process.h"

#include <csignal>
#include <unistd.h>

namespace retest {

namespace {

std::atomic<bool> isDeferred = false;
std::atomic<bool> hasSignalCome = false;
std::atomic<int> deferredSignal = 0;

// Only calls that are safe in a signal handler. Nothing needs tidying up: the store takes care
// of a killed writer.
[[noreturn]] void endNow(int signal) {
  killRunningProcesses();
  if (isatty(STDERR_FILENO)) {
    // Off the progress bar. Nothing can be done if this fails.
    [[maybe_unused]] ssize_t count = write(STDERR_FILENO, "\n", 1);
  }
  _exit(128 + signal);
}

void onSignal(int signal) {
  if (!isDeferred || hasSignalCome)
    endNow(signal);
  deferredSignal = signal;
  hasSignalCome = true;
}

} // namespace

void endOnSignals() {
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
      continue;
    struct sigaction action{};
    action.sa_handler = onSignal;
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

DeferredSignals::DeferredSignals() { isDeferred = true; }

DeferredSignals::~DeferredSignals() { isDeferred = false; }

const std::atomic<bool> &DeferredSignals::hasCome() const { return hasSignalCome; }

void DeferredSignals::endIfCome() const {
  if (hasSignalCome)
    endNow(deferredSignal);
}

} // namespace retest
