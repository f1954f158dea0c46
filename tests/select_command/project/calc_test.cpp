#include "calc.h"

#include <fstream>
#include <gtest/gtest.h>

TEST(Add, Negative) { EXPECT_EQ(add(-1, 2), 1); }
TEST(Add, Positive) { EXPECT_EQ(add(1, 2), 3); }
TEST(Subtract, Any) { EXPECT_EQ(subtract(3, 2), 1); }
TEST(Data, Read) { EXPECT_TRUE(std::ifstream(DATA "/data.txt").good()); }
TEST(Data, Missing) { EXPECT_FALSE(std::ifstream(DATA "/missing.txt").good() && add(1, 1) == 3); }
