#include "report/junit.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

TestResult result(const char *binary, const char *name, std::vector<TestAttempt> attempts) {
  TestResult result;
  result.test.binary = binary;
  result.test.name = name;
  result.attempts = std::move(attempts);
  return result;
}

TestAttempt attempt(TestStatus status, const char *output = "") {
  return {status, std::chrono::microseconds(1500), output, ""};
}

std::string junit(const std::vector<TestResult> &results, bool reportsSkipped = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeJunit(out, results, reportsSkipped);
  return text;
}

/// What stands inside of the only test case.
std::string inside(const TestResult &result, bool reportsSkipped = false) {
  std::string text = junit({result}, reportsSkipped);
  std::size_t begin = text.find("<testcase"), end = text.find("    </testcase>");
  if (begin == std::string::npos)
    return "no test case";
  begin = text.find('\n', begin) + 1;
  return llvm::StringRef(text).slice(begin, end).trim().str();
}

} // namespace

TEST_CASE("junit: a suite for each binary, and one for CTest") {
  TestResult first = result("<build>/a_test", "A.one", {attempt(TestStatus::Passed)});
  first.test.file = "a_test.cpp";
  first.test.line = 7;
  CHECK(junit({result("", "plain", {attempt(TestStatus::NotRun)}), first,
               result("<build>/a_test", "A.two", {attempt(TestStatus::Failed, "a < b\n")})}) ==
        R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="retest" tests="3" failures="1" errors="1" skipped="0" time="0.004500">
  <testsuite name="ctest" tests="1" failures="0" errors="1" skipped="0" time="0.001500">
    <testcase classname="ctest" name="plain" time="0.001500">
      <error type="could not run" message="could not run"></error>
    </testcase>
  </testsuite>
  <testsuite name="a_test" tests="2" failures="1" errors="0" skipped="0" time="0.003000">
    <testcase classname="a_test" name="A.one" time="0.001500" file="a_test.cpp" line="7">
    </testcase>
    <testcase classname="a_test" name="A.two" time="0.001500">
      <failure type="failed" message="failed">a &lt; b
</failure>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST_CASE("junit: one row for each kind of outcome") {
  using Status = TestStatus;
  struct Row {
    const char *what;
    std::vector<TestAttempt> attempts;
    const char *inside;
  };
  const Row rows[] = {
      {"passed", {attempt(Status::Passed, "text")}, ""},
      {"skipped itself", {attempt(Status::Skipped)}, R"(<skipped message="skipped"/>)"},
      {"timed out",
       {attempt(Status::TimedOut)},
       R"(<failure type="timed out" message="timed out"></failure>)"},
      {"flaky: passed the second time",
       {attempt(Status::Failed, "x"), attempt(Status::Passed)},
       R"(<flakyFailure type="failed" message="failed">x</flakyFailure>)"},
      {"failed each time",
       {attempt(Status::Failed, "x"), attempt(Status::Crashed, "y")},
       "<failure type=\"failed\" message=\"failed\">x</failure>\n"
       "      <rerunFailure type=\"crashed\" message=\"crashed\">y</rerunFailure>"},
      {"did not run", {}, "no test case"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(inside(result("b", "t", row.attempts)) == row.inside);
  }
}

TEST_CASE("junit: what fails in quarantine is no failure") {
  TestResult failed = result("b", "t", {attempt(TestStatus::Failed)});
  failed.isQuarantined = true;
  CHECK(inside(failed) == R"(<skipped message="retest: failed, in quarantine"/>)");
}

TEST_CASE("junit: tests that did not run are there if they are asked for") {
  TestResult skipped = result("b", "t", {});
  skipped.whyNot = "not affected";
  CHECK(inside(skipped, true) == R"(<skipped message="retest: not affected"/>)");
  CHECK(junit({skipped}).find("testsuite ") == std::string::npos);
}

TEST_CASE("junit: text that XML cannot have") {
  struct Row {
    const char *what;
    std::string text, element, attribute;
  };
  const Row rows[] = {
      {"marks", "<a & \"b\">", "&lt;a &amp; &quot;b&quot;&gt;", "&lt;a &amp; &quot;b&quot;&gt;"},
      {"line ends", "a\n\tb\r", "a\n\tb&#13;", "a&#10;&#9;b&#13;"},
      {"control characters", std::string("a\0b\x01\x7f\x0c", 6), "ab\x7f", "ab\x7f"},
      {"colours", "\033[1;31mred\033[0m", "red", "red"},
      {"a code that is cut off", "a\033[1;3", "a", "a"},
      {"an escape alone", "a\033b", "ab", "ab"},
      {"not UTF-8", "a\xff", "a\xEF\xBF\xBD", "a\xEF\xBF\xBD"},
      {"no character",
       "a\xEF\xBF\xBF"
       "b",
       "ab", "ab"},
      {"umlauts", "ä", "ä", "ä"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(xmlText(row.text) == row.element);
    CHECK(xmlText(row.text, true) == row.attribute);
  }
}
