#include "report/run_text.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

TestResult ran(std::vector<TestStatus> statuses, const char *output = "") {
  TestResult result;
  result.test.binary = "<build>/a_test";
  result.test.name = "A.one";
  for (TestStatus status : statuses)
    result.attempts.push_back({status, std::chrono::milliseconds(12), output, ""});
  return result;
}

TestResult notRun(const char *why) {
  TestResult result;
  result.whyNot = why;
  result.test.status = TestStatus::Passed;
  return result;
}

} // namespace

TEST_CASE("run summary: one row for each kind") {
  using Status = TestStatus;
  TestResult disabled;
  disabled.test.status = Status::Disabled;
  TestResult quarantined = ran({Status::Failed});
  quarantined.isQuarantined = true;
  struct Row {
    std::vector<TestResult> results;
    const char *summary;
  };
  const Row rows[] = {
      {{}, "0 of 0 tests run in 1.50 s"},
      {{ran({Status::Passed})}, "1 of 1 test run in 1.50 s: 1 passed"},
      {{ran({Status::Failed, Status::Passed}), ran({Status::Failed, Status::Failed})},
       "2 of 2 tests run in 1.50 s: 1 passed (1 flaky), 1 failed"},
      {{ran({Status::TimedOut}), ran({Status::Crashed}), ran({Status::NotRun}),
        ran({Status::Skipped})},
       "4 of 4 tests run in 1.50 s: 1 timed out, 1 crashed, 1 could not run, 1 skipped"},
      {{ran({Status::Passed}), quarantined},
       "2 of 2 tests run in 1.50 s: 1 passed, 1 failed in quarantine"},
      {{ran({Status::Passed}), notRun("not affected"), notRun("not affected")},
       "1 of 3 tests run in 1.50 s: 1 passed; 2 not run (not affected)"},
      {{notRun("left by the budget"), notRun("not affected"), notRun("not affected"), disabled},
       "0 of 3 tests run in 1.50 s; 3 not run (2 not affected, 1 left by the budget); 1 disabled"},
  };
  for (const Row &row : rows)
    CHECK(runSummary(countResults(row.results), std::chrono::milliseconds(1500)) == row.summary);
}

TEST_CASE("run: the output of what failed, made safe for a terminal") {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeFailures(out,
                {ran({TestStatus::Failed}, "one\n\033[2Jtwo\r\n"),
                 ran({TestStatus::Crashed, TestStatus::Passed}), ran({TestStatus::Passed}, "no")},
                false);
  CHECK(text == "FAIL       0.012 s  a_test::A.one\n"
                "    one\n"
                "    ?[2Jtwo\n"
                "CRASH      0.012 s  a_test::A.one  (attempt 1 of 2, flaky)\n"
                "    (it wrote nothing)\n");
}
