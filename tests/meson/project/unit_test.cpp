#include "shared.h"

#include <gtest/gtest.h>

TEST(Unit, Minus) { EXPECT_EQ(minus(3, 1), 2); }

TEST(Unit, Version) { EXPECT_GT(shared(), 0); }
