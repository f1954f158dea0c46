#include "run/test_outcome.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

RunEnd ended(int exitCode, int signal = 0, bool timedOut = false) {
  RunEnd end;
  end.exitCode = exitCode;
  end.signal = signal;
  end.timedOut = timedOut;
  return end;
}

} // namespace

TEST_CASE("outcome of a run: which rule goes first") {
  SuiteEntry plain{"e"}, fails{"e"}, all{"e"};
  fails.willFail = true;
  all.passExpressions = {"good"};
  all.failExpressions = {"bad"};
  all.skipExpressions = {"later"};
  all.skipReturnCode = 77;
  struct Row {
    const SuiteEntry &entry;
    RunEnd end;
    const char *output;
    TestStatus status;
  };
  const Row rows[] = {
      {plain, ended(0), "", TestStatus::Passed},
      {plain, ended(1), "", TestStatus::Failed},
      {plain, ended(0, 11), "", TestStatus::Crashed},
      {plain, ended(0, 9, true), "", TestStatus::TimedOut},
      {fails, ended(0), "", TestStatus::Failed},
      {fails, ended(1), "", TestStatus::Passed},
      {fails, ended(0, 6), "", TestStatus::Crashed},
      {fails, ended(0, 9, true), "", TestStatus::TimedOut},
      {all, ended(0), "", TestStatus::Failed},
      {all, ended(1), "good", TestStatus::Passed},
      {all, ended(0), "good bad", TestStatus::Failed},
      {all, ended(0), "good bad later", TestStatus::Skipped},
      {all, ended(77), "good", TestStatus::Skipped},
      {all, ended(0, 11), "good later", TestStatus::Crashed},
  };
  for (const Row &row : rows) {
    CAPTURE(row.output);
    CHECK(statusOf(outcomeRulesOf(row.entry), row.end, row.output) == row.status);
  }
}

TEST_CASE("an expression that CMake refuses is found nowhere, and told") {
  SuiteEntry entry{"e"};
  entry.passExpressions = {"(", "x"};
  OutcomeRules rules = outcomeRulesOf(entry);
  CHECK(rules.refused == std::vector<std::string>{
                             "(: this regular expression has a parenthesis that is not closed"});
  CHECK(statusOf(rules, ended(0), "x") == TestStatus::Passed);
  CHECK(statusOf(rules, ended(0), "(") == TestStatus::Failed);
  entry.passExpressions = {"("};
  CHECK(statusOf(outcomeRulesOf(entry), ended(0), "(") == TestStatus::Failed);
}

TEST_CASE("output as expressions see it") {
  CHECK(outputForExpressions("") == "");
  CHECK(outputForExpressions("a") == "a\n");
  CHECK(outputForExpressions("a\r\r\nb\rc\n") == "a\nb\rc\n");
  CHECK(outputForExpressions(llvm::StringRef("a\0b\n\n", 5)) == "a\nb\n\n");
}
