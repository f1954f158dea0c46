#pragma once

#include <chrono>
#include <functional>
#include <optional>

namespace retest {

/// Somebody who looks at a test now and then while it runs.
struct RunWatch {
  using TimePoint = std::chrono::steady_clock::time_point;

  /// May move the time limit. True: the test is to be ended.
  std::function<bool(std::optional<TimePoint> &deadline)> look;
  std::chrono::milliseconds interval{50};
};

} // namespace retest
