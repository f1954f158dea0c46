#include "habits.h"

#include <gtest/gtest.h>

#include <cstdlib>

TEST(Good, one) { EXPECT_EQ(good(1), 1); }
TEST(Good, two) { EXPECT_EQ(good(2), 2); }
TEST(Good, waits) { EXPECT_TRUE(doOdd("waits")); }
TEST(Good, fails) { EXPECT_EQ(good(1), 2); }

#define ODD(suite, way)                                                                            \
  TEST(suite, way) { EXPECT_TRUE(doOdd(#way)); }
ODD(Odd, removesCounters)
ODD(Odd, dropsForeign)
ODD(Odd, dropsPipe)
ODD(Odd, cutsCounters)
ODD(Odd, closesAll)
ODD(Odd, changesDirectory)
ODD(Odd, startsDaemon)
ODD(Odd, endsParent)
ODD(Odd, removesData)
ODD(Odd, printsMuch)
ODD(Hangs, stops)
ODD(Hangs, hangs)

TEST(Odd, childLost) {
  doOdd("removesCounters");
  EXPECT_NE(std::system(TOOL " good"), 0);
}
