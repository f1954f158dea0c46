#include "shape.h"

#include <fstream>
#include <gtest/gtest.h>
#include <thread>

TEST(Largest, Integer) { EXPECT_EQ(largest(1, 2), 2); }
TEST(Largest, Double) { EXPECT_EQ(largest(2.0, 1.0), 2.0); }
TEST(Zero, Below) { EXPECT_EQ(atLeastZero(-1), 0); }
TEST(Data, Read) { EXPECT_TRUE(std::ifstream(DATA "/data.txt").good()); }
TEST(Applied, Small) { EXPECT_EQ(applied(1), 2); }
TEST(Plugged, Small) { EXPECT_EQ(plugged(1), 1); }
TEST(Plugged, Large) { EXPECT_EQ(plugged(4), 4); }
TEST(Tailed, Negative) { EXPECT_EQ(tailed(-1), 3); }
TEST(Tailed, Positive) { EXPECT_EQ(tailed(1), 3); }
TEST(Started, Sum) { EXPECT_EQ(started(), 4); }
TEST(Thread, Classifies) {
  int kind = 0;
  std::thread([&] { kind = classify(7); }).join();
  EXPECT_EQ(kind, 0);
}
