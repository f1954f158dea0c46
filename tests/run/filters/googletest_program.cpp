// A program of a user with GoogleTest whose tests are those of a table, and a few of other kinds.

#include "table_tests.h"

#include <gtest/gtest.h>

class Values : public testing::TestWithParam<int> {};
TEST_P(Values, each) {}
INSTANTIATE_TEST_SUITE_P(Some, Values, testing::Values(1, 2, 3));
INSTANTIATE_TEST_SUITE_P(Named, Values, testing::Values(1, 2),
                         [](const auto &info) { return "n" + std::to_string(info.param); });

template <class T> class Types : public testing::Test {};
struct Names {
  template <class T> static std::string GetName(int index) { return index == 0 ? "a-b" : "a:b"; }
};
using Two = testing::Types<int, long>;
TYPED_TEST_SUITE(Types, Two);
TYPED_TEST(Types, each) {}
template <class T> class NamedTypes : public testing::Test {};
TYPED_TEST_SUITE(NamedTypes, Two, Names);
TYPED_TEST(NamedTypes, each) {}

namespace {

struct Listener : testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &test) override {
    std::string suite = test.test_suite_name();
    tellRun(suite, suite + "." + test.name(), static_cast<unsigned>(test.line()));
  }
};

struct FromTable : testing::Test {
  void TestBody() override {}
};

} // namespace

int main(int argc, char **argv) {
  for (const TableTest &test : tableTests()) {
    std::string name = (test.isDisabled ? "DISABLED_" : "") + test.name;
    testing::RegisterTest(test.suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, test.line,
                          []() -> testing::Test * { return new FromTable; });
  }
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return RUN_ALL_TESTS();
}
