#include "run/single_test_filter.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

TEST_CASE("filter of one test: what each framework needs") {
  struct Row {
    Framework framework;
    NativeTest test;
    const char *arguments;
    bool isExact;
  };
  const Row rows[] = {
      {Framework::GoogleTest, {"S.t"}, "--gtest_filter=S.t", true},
      {Framework::GoogleTest, {"I/S.t/0"}, "--gtest_filter=I/S.t/0", true},
      {Framework::GoogleTest, {"S/a-b:c*d?.t"}, "--gtest_filter=S/a?b?c?d?.t", false},
      {Framework::GoogleTest,
       {"S.DISABLED_t", "S", {}, 0, true},
       "--gtest_filter=S.DISABLED_t --gtest_also_run_disabled_tests",
       true},
      {Framework::Doctest,
       {"a,b\\", "s,t"},
       "--dt-test-case=a\\,b\\\\ --dt-test-suite=s\\,t --dt-case-sensitive=true",
       true},
      {Framework::Doctest,
       {"a*", "", {}, 0, true},
       "--dt-test-case=a* --dt-test-suite-exclude=?* --dt-case-sensitive=true --dt-no-skip=true",
       false},
      {Framework::Doctest,
       {"", "s"},
       "--dt-test-case-exclude=?* --dt-test-suite=s --dt-case-sensitive=true",
       true},
      {Framework::Catch2, {"a b"}, "\"a b\"", false},
      {Framework::Catch2, {"a,b\\[c]\"*"}, "\"a\\,b\\\\\\[c\\]\\\"*\"", false},
      {Framework::Catch2, {" ~x "}, "\"~x\"", false},
      {Framework::Catch2, {"exclude:x"}, "\"Exclude:x\"", false},
      {Framework::Catch2, {" \t"}, "\" \"", false},
      {Framework::Catch2, {"a\nb"}, "\"a*\"", false},
      {Framework::BoostTest, {"s/", "s"}, "--run_test=s/*", false},
      {Framework::BoostTest, {"what?"}, "--run_test=what?", true},
      {Framework::BoostTest, {"s/t<int>", "s"}, "--run_test=s/t<int>", true},
      {Framework::BoostTest, {"s/a,b", "s"}, "--run_test=s/a*", false},
      {Framework::BoostTest, {"!s/a", "!s"}, "--run_test=*/a", false},
      {Framework::BoostTest, {"s/t/a/b", "s/t"}, "--run_test=s/t/a*", false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.test.name);
    TestFilter filter = filterFor(row.framework, row.test);
    CHECK(llvm::join(filter.arguments, " ") == row.arguments);
    CHECK(filter.isExact == row.isExact);
  }
}

TEST_CASE("filters of all tests: exact unless another test of the program matches") {
  auto exact = [](Framework framework, const std::vector<NativeTest> &tests) {
    std::string result;
    for (const TestFilter &filter : filtersFor(framework, tests))
      result += filter.isExact ? "+" : "-";
    return result;
  };
  CHECK(exact(Framework::GoogleTest, {{"S.a-b"}, {"S.a:b"}, {"S.a-c"}, {"S.axc"}}) == "---+");
  CHECK(exact(Framework::Catch2, {{"One"}, {"one "}, {"two"}, {"*o"}, {"x*"}}) == "--+-+");
  CHECK(exact(Framework::Catch2, {{"*?"}, {"ab"}, {"b?"}}) == "-++");
  CHECK(exact(Framework::Doctest, {{"a", "s"}, {"a", "t"}, {"A", "s"}}) == "+++");
  CHECK(exact(Framework::Doctest, {{"a", "s"}, {"a", "s"}, {"a*b"}, {"acb"}}) == "---+");
  CHECK(exact(Framework::BoostTest, {{"s/a,b", "s"}, {"s/a", "s"}, {"s/b:c", "s"}}) == "-++");
}
