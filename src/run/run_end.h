#pragma once

#include "support/child_process.h"

namespace retest {

/// How one run of a test program ended.
struct RunEnd : ChildEnd {
  bool timedOut = false;
  bool wasEnded = false; ///< by a RunWatch
  std::chrono::microseconds wall{0};
};

} // namespace retest
