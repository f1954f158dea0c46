#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace {

const char *variable(const char *name) { return std::getenv(name); }

} // namespace

TEST(Other, Plain) { SUCCEED(); }

// Fails for a reason that nobody can see.
TEST(Other, Moody) { EXPECT_FALSE(variable("RUN_BROKEN")); }

// Fails the first two times, if it is told to: a test that fails when it is forked is started once
// more before it counts.
TEST(Other, Flaky) {
  const char *file = variable("RUN_FLAKY");
  if (!file)
    return;
  int times = 0;
  std::ifstream(file) >> times;
  std::ofstream(file) << times + 1;
  ASSERT_GE(times, 2) << "flaky <&> \033[31mred";
}

// Takes its time, if it is told to.
TEST(Other, Slow) {
  if (const char *time = variable("RUN_SLOW"))
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(time)));
}
