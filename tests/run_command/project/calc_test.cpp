#include "calc.h"

#include <gtest/gtest.h>

TEST(Add, Negative) { EXPECT_EQ(add(-1, 2), 1); }
TEST(Add, Positive) { EXPECT_EQ(add(1, 2), 3); }
TEST(Subtract, Any) { EXPECT_EQ(subtract(3, 2), 1); }

struct Halves : testing::TestWithParam<int> {};
TEST_P(Halves, Twice) { EXPECT_EQ(half(2 * GetParam()), GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, Halves, testing::Values(1, 2));
