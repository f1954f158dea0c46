#pragma once

#include "run/observed_files.h"
#include "support/child_process.h"

#include <optional>

namespace retest {

/// How one run of a test program ended.
struct RunEnd : ChildEnd {
  bool timedOut = false;
  bool wasEnded = false; ///< by a RunWatch
  std::chrono::microseconds wall{0};
  pid_t group = 0;                            ///< of processes; they were all killed in the end
  std::optional<FileObservations> files = {}; ///< if they were to be watched
};

} // namespace retest
