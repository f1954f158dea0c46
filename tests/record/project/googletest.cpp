#include "habits.h"
#include "rounds.h"

#include <gtest/gtest.h>

static int beforeMainOfGoogleTest() { return 1; }
static int early = beforeMainOfGoogleTest();

struct Program : testing::Environment {
  void SetUp() override { forProgram(); }
};
static testing::Environment *program = testing::AddGlobalTestEnvironment(new Program);

TEST(Lazy, One) { EXPECT_EQ(lazy(), 42); }
TEST(Lazy, Two) { EXPECT_EQ(lazy(), 42); }
TEST(Lazy, Three) { EXPECT_EQ(lazy(), 42); }
TEST(Other, Thread) { EXPECT_EQ(inThread(), 7); }
TEST(Other, Shared) { EXPECT_EQ(inShared(), 42); }
TEST(Other, DeathTest) { EXPECT_DEATH(dies(), "goodbye"); }
TEST(Other, ThreadsafeDeathTest) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(dies(), "goodbye");
}
TEST(Other, Child) { EXPECT_EQ(inChild(TOOL, "once"), 0); }
TEST(Other, Spawned) { EXPECT_EQ(inSpawned(TOOL, "spawned"), 0); }
TEST(Other, True) { EXPECT_EQ(chosen(true), 1); }
TEST(Other, False) { EXPECT_EQ(chosen(false), 2); }

struct Suite : testing::Test {
  static void SetUpTestSuite() { forSuite(); }
};
TEST_F(Suite, First) {}
TEST_F(Suite, Second) {}

template <class T> struct Typed : testing::Test {};
using Types = testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, Size) {
  EXPECT_GT(sizeof(TypeParam), 0u);
  if (sizeof(TypeParam) == 4)
    lazy();
}

struct Values : testing::TestWithParam<int> {};
TEST_P(Values, Chosen) { chosen(GetParam() == 1); }
INSTANTIATE_TEST_SUITE_P(All, Values, testing::Values(1, 2));

TEST(Meets, One) { meet("One", "Two", patience()); }
TEST(Meets, Two) { meet("Two", "One", patience()); }
