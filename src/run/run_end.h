#pragma once

#include "support/child_process.h"

namespace retest {

/// How one run of a test program ended.
struct RunEnd : ChildEnd {
  bool timedOut = false;
  std::chrono::microseconds wall{0};
};

} // namespace retest
