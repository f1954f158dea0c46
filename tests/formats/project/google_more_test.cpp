#include "code.h"
#include "tell.h"

#include <gtest/gtest.h>

TEST(More, hot) {
  tell(PROGRAM, "More.hot", true);
  EXPECT_GT(hot(1), 1);
}

TEST(More, DISABLED_asleep) {
  tell(PROGRAM, "More.DISABLED_asleep", true);
  EXPECT_GT(hot(1), 1);
}

TEST(More, cold) {
  tell(PROGRAM, "More.cold", false);
  EXPECT_GT(cold(1), 1);
}
