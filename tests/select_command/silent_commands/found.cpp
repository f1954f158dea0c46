#include <fstream>
#include <gtest/gtest.h>

TEST(Found, Absent) { EXPECT_FALSE(std::ifstream("more.txt").good()); }
TEST(Found, Other) { EXPECT_EQ(1 + 1, 2); }
