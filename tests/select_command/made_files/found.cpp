#include <gtest/gtest.h>

static int sign(int n) { return n < 0 ? -1 : 1; }

TEST(Sign, Negative) { EXPECT_EQ(sign(-2), -1); }
TEST(Sign, Positive) { EXPECT_EQ(sign(2), 1); }
