#include "calc.h"

#include <gtest/gtest.h>

TEST(Calc, Plus) { EXPECT_EQ(plus(1, 2), 3); }
TEST(Calc, Minus) { EXPECT_EQ(minus(3, 2), 1); }
TEST(Calc, DISABLED_Later) { FAIL(); }
