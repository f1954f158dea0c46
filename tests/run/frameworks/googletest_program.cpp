// A program of a user with GoogleTest: every way to make a test, and names that filters trip over.

#include <gtest/gtest.h>

#include <string>

TEST(Plain, one) {}
TEST(Plain, oneMore) {}
TEST(plain, one) {}
TEST(Plain, fails) { EXPECT_EQ(1, 2); }
TEST(Plain, DISABLED_sleeps) {}
TEST(DISABLED_Suite, sleeps) {}
TEST(Plain, skips) { GTEST_SKIP(); }
TEST(PlainDeathTest, dies) { EXPECT_DEATH(std::abort(), ""); }

class Values : public testing::TestWithParam<int> {};
TEST_P(Values, each) {}
TEST_P(Values, DISABLED_each) {}
INSTANTIATE_TEST_SUITE_P(First, Values, testing::Values(1, 2));
INSTANTIATE_TEST_SUITE_P(Named, Values, testing::Values(1, 2),
                         [](const auto &info) { return "n" + std::to_string(info.param); });

template <class T> class Types : public testing::Test {};
struct Names {
  template <class T> static std::string GetName(int index) {
    return index == 0 ? "a-b*c" : index == 1 ? "a:b,c" : "a?b\"c\\d\xC3\xA9";
  }
};
using Three = testing::Types<int, long, char>;
TYPED_TEST_SUITE(Types, Three);
TYPED_TEST(Types, each) {}
template <class T> class NamedTypes : public testing::Test {};
TYPED_TEST_SUITE(NamedTypes, Three, Names);
TYPED_TEST(NamedTypes, each) {}

int main(int argc, char **argv) {
  testing::RegisterTest("By hand", "two words", nullptr, nullptr, __FILE__, __LINE__,
                        []() -> testing::Test * {
                          struct Test : testing::Test {
                            void TestBody() override {}
                          };
                          return new Test;
                        });
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
