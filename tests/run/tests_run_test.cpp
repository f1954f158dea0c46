#include "run/tests_run.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("how many tests ran: what each framework says") {
  struct Row {
    Framework framework;
    const char *output;
    std::optional<unsigned> number;
  };
  const Row rows[] = {
      {Framework::GoogleTest, "[==========] 1 test from 1 test suite ran. (0 ms total)\n", 1},
      {Framework::GoogleTest, "[==========] 12 tests from 3 test cases ran.", 12},
      {Framework::GoogleTest, "\033[0;32m[==========] \033[m2 tests from 1 test suite ran.\r\n", 2},
      {Framework::GoogleTest, "[==========] Running 1 test from 1 test suite.\n", {}},
      {Framework::GoogleTest, "[==========] 0 tests from 0 test suites ran. (0 ms total)\n", 0},
      {Framework::Doctest, "[doctest] test cases:  1 |  1 passed | 0 failed | 30 skipped\n", 1},
      {Framework::Doctest, "\033[0;36m[doctest] \033[0mtest cases: \033[0m10 | ", 10},
      {Framework::Doctest, "[doctest] assertions: 1 | 0 passed | 1 failed |\n", {}},
      {Framework::Catch2, "All tests passed (3 assertions in 1 test case)\n", 1},
      {Framework::Catch2, "\033[1;32mAll tests passed\033[0m (1 assertion in 2 test cases)\n", 2},
      {Framework::Catch2, "test cases: 2 | 1 passed | 1 failed\nassertions: 3 | 3 passed\n", 2},
      {Framework::Catch2, "test cases: 1\033[0;37m | \033[0m\033[0;32m1 passed\033[0m\n", 1},
      // Version 3: a test that skips itself, a filter without tests, one that cannot be read.
      {Framework::Catch2, "test cases: 1 | 1 skipped\nassertions: - none -\n", 1},
      {Framework::Catch2, "No test cases matched '\"x\"'\n=====\nNo tests ran\n\n", 0},
      {Framework::Catch2, "Invalid Filter: \"a,b\"\n", {}},
      {Framework::Catch2, "No tests ran\n", 0},
      {Framework::Catch2, "Passed 1 test case (no assertions).\n", 1},
      {Framework::Catch2, "Passed both 2 test cases with 3 assertions.\n", 2},
      {Framework::Catch2, "Failed all 3 test cases, failed 3 assertions.\n", 3},
      {Framework::Catch2, "    <OverallResultsCases successes=\"1\" failures=\"2\"/>\n", 3},
      {Framework::Catch2, "  <OverallResultsCases successes=\"0\" failures=\"0\"/>\n", 0},
      {Framework::Catch2, "    <testcase classname=\"x\" name=\"a\"/>\n", 1},
      {Framework::Catch2, "    <system-out/>\n  </testsuite>\n", {}},
      {Framework::BoostTest, "Running 1 test case...\n", 1},
      {Framework::BoostTest, "Running 3 test cases...\nRunning 9 test cases...\n", 3},
      {Framework::BoostTest, "Running late\n", {}},
      {Framework::BoostTest, "Test setup error: no test cases matching filter or all test", 0},
  };
  for (const Row &row : rows) {
    CAPTURE(row.output);
    CHECK(testsRun(row.framework, row.output, "") == row.number);
    CHECK(testsRun(row.framework, "", row.output) == row.number);
  }
  for (Framework framework :
       {Framework::GoogleTest, Framework::Doctest, Framework::Catch2, Framework::BoostTest})
    for (const char *output : {"", "\n", "\033[", "Segmentation fault\n"})
      CHECK(testsRun(framework, output, output) == std::nullopt);
}
