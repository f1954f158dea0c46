#pragma once

#include <atomic>

namespace retest {

/// From here on SIGINT and SIGTERM end the program with 130 and 143, and all running children
/// with it. A signal that was ignored when we started (nohup) stays ignored.
void endOnSignals();

/// While it lives, the first SIGINT or SIGTERM only sets a flag, so that there is time to tidy up;
/// the second one ends the program at once. One at a time.
class DeferredSignals {
public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals &) = delete;
  DeferredSignals &operator=(const DeferredSignals &) = delete;

  const std::atomic<bool> &hasCome() const;
  /// Ends the program now if a signal has come, with its exit code.
  void endIfCome() const;
};

} // namespace retest
