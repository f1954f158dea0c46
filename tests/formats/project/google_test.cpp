#include "code.h"
#include "tell.h"

#include <gtest/gtest.h>

static void run(bool isHot) {
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  tell(PROGRAM, std::string(test->test_suite_name()) + "." + test->name(), isHot);
  EXPECT_GT(isHot ? hot(1) : cold(1), 1);
}

TEST(Plain, hot) { run(true); }
TEST(Plain, cold) { run(false); }
TEST(Plain, DISABLED_hot) { run(true); }

template <class T> struct Typed : testing::Test {};
using Types = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, hot) { run(true); }
TYPED_TEST(Typed, cold) { run(false); }

struct Values : testing::TestWithParam<int> {};
TEST_P(Values, either) { run(GetParam() == 0); }
INSTANTIATE_TEST_SUITE_P(One, Values, testing::Values(0, 1));

// Names that no macro would take.
struct Hot : testing::Test {
  void TestBody() override { run(true); }
};
struct Cold : testing::Test {
  void TestBody() override { run(false); }
};
static bool areAdded = [] {
  for (const char *name :
       {"a-b", "a:b", "star*", "what?", "a,b", "\"quoted\"", "back\\slash", "[bracket]", "~tilde",
        "#hash", "exclude:this", " blanks ", "d\xC3\xA9j\xC3\xA0 vu", "tt<int>"}) {
    std::string hotName = std::string(name) + "hot", coldName = std::string(name) + "cold";
    testing::RegisterTest("Odd", hotName.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          []() -> testing::Test * { return new Hot; });
    testing::RegisterTest("Odd", coldName.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          []() -> testing::Test * { return new Cold; });
  }
  // No filter can tell this one from "a:bhot" and "a-bhot", which run whenever it does.
  testing::RegisterTest("Odd", "a?bhot", nullptr, nullptr, __FILE__, __LINE__,
                        []() -> testing::Test * { return new Hot; });
  return true;
}();
