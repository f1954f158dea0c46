#pragma once

#include "cli/context.h"

#include <fmt/format.h>

#include <chrono>

namespace retest {

/// With -v: what each step took.
class StepTimes {
public:
  explicit StepTimes(Context &context) : context_(context) {}

  void done(const char *step) {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> time = now - last_;
    context_.detail(fmt::format("{}: {:.1f} ms", step, time.count()));
    last_ = now;
  }

private:
  Context &context_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace retest
