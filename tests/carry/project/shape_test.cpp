#include "shape.h"

#include <gtest/gtest.h>

TEST(Total, Square) { EXPECT_EQ(total(Square(2)), 4); }
TEST(Total, Plate) { EXPECT_EQ(total(Plate(3)), 9); }
TEST(Total, Shape) { EXPECT_EQ(total(Shape()), 0); }
TEST(Classify, Negative) { EXPECT_EQ(classify(-1), 2); }
TEST(Classify, Zero) { EXPECT_EQ(classify(0), 4); }
TEST(Classify, Positive) { EXPECT_EQ(classify(1), 0); }
TEST(Guarded, Small) { EXPECT_EQ(guarded(3), 3); }
TEST(Guarded, Large) { EXPECT_EQ(guarded(20), -1); }
