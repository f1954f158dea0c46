// A program that has a child before its main, which is killed.
#include "habits.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

[[maybe_unused]] static const bool hadChild = [] {
  if (fork() == 0) {
    good(2);
    raise(SIGKILL);
  }
  return wait(nullptr) > 0;
}();

TEST(Before, main) { EXPECT_EQ(good(1), 1); }
