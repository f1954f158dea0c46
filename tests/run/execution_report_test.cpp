#include "run/execution_report.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// "dialect: name name", a suite in braces.
std::string readingOf(const char *xml) {
  auto report = readExecutionReport(xml);
  if (!report)
    return llvm::toString(report.takeError());
  const char *dialects[] = {"gtest", "names", "boost", "ctest", "retest"};
  std::string text = std::string(dialects[static_cast<int>(report->dialect)]) + ":";
  for (const ExecutedTest &test : report->tests)
    text += " " + (test.suite ? "{" + *test.suite + "}" : "") + test.name;
  return text;
}

} // namespace

TEST_CASE("execution reports: what each runner writes") {
  CHECK(readingOf(R"(<testsuites tests="3" name="AllTests"><testsuite name="S">
      <testcase name="a/0" status="run" result="completed" classname="I/S"/>
      <testcase name="skips" status="run" result="skipped" classname="S"><skipped/></testcase>
      <testcase name="DISABLED_b" status="notrun" result="suppressed" classname="S"/>
      </testsuite></testsuites>)") == "gtest: I/S.a/0 S.skips");
  CHECK(readingOf(R"(<testsuites><testsuite name="t" errors="0" hostname="tbd">
      <testcase classname="t.global" name=" a &quot;b&quot;&#10;c " time="0" status="run"/>
      <testcase classname="t.global" name="a/section" time="0" status="run"/>
      </testsuite></testsuites>)") == "names: a \"b\"\nc a/section");
  CHECK(readingOf(R"(<testsuite tests="1" name="all"><testcase assertions="0" name="top"/>
      <testcase assertions="0" classname="outer.two_words" name="x"/>
      <testcase assertions="0" name="left_out"><skipped/></testcase></testsuite>)") ==
        "boost: top outer.two_words.x");
  CHECK(readingOf(R"(<testsuite name="Linux" tests="4">
      <testcase name="a" classname="a" status="run"/><testcase name="b" classname="b" status="fail"/>
      <testcase name="c" classname="c" status="disabled"/>
      <testcase name="d" classname="d" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
      </testcase><testcase name="e" classname="e" status="notrun">
      <skipped message="Unable to find executable"/></testcase></testsuite>)") == "ctest: a b d");
  CHECK(readingOf(R"(<Catch name="t"><Group name="t"><TestCase name="a"><Section name="s"/>
      </TestCase></Group></Catch>)") == "names: a");
  CHECK(readingOf(R"(<Catch2TestRun name="t"><TestCase name="a"/></Catch2TestRun>)") == "names: a");
  CHECK(readingOf(R"(<doctest binary="t"><TestSuite><TestCase name="a"/></TestSuite>
      <TestSuite name="s"><TestCase name="b"/><TestCase name="c" skipped="true"/></TestSuite>
      </doctest>)") == "names: {}a {s}b");
}

TEST_CASE("execution reports: our own") {
  CHECK(readingOf(R"(<testsuites name="retest"><testsuite name="t">
      <testcase classname="t" name="S.a" time="0.1"><failure type="failed"/></testcase>
      <testcase classname="t" name="S.b" time="0"><skipped message="retest: not affected"/></testcase>
      <testcase classname="t" name="S.c" time="0"><skipped message="skipped"/></testcase>
      <testcase classname="t" name="S.d" time="0"><skipped message="retest: failed, in quarantine"/></testcase>
      </testsuite><testsuite name="ctest"><testcase classname="ctest" name="up"/></testsuite>
      </testsuites>)") == "retest: {t}S.a {t}S.c {t}S.d {ctest}up");
}

TEST_CASE("execution reports: Meson's log") {
  CHECK(readingOf("{\"name\": \"p:s / a b\", \"result\": \"OK\"}\n"
                  "{\"name\": \"d\", \"result\": \"INTERRUPT\"}\n"
                  "{\"name\": \"c\", \"result\": \"FAIL\"}\n") == "ctest: p:s / a b c");
  CHECK(readingOf("{\"name\": \"c\"}") == "not a log of Meson: a line without 'name' and 'result'");
}

TEST_CASE("execution reports: what is none") {
  CHECK(llvm::StringRef(readingOf("")).starts_with("not XML: "));
  CHECK(llvm::StringRef(readingOf("<testsuite>")).starts_with("not XML: "));
  CHECK(llvm::StringRef(readingOf("retest")).starts_with("not XML: "));
  CHECK(readingOf("<html/>") == "<html>: neither JUnit nor a report of Catch2 or doctest");
  CHECK(readingOf("<testsuites/>") == "names:");
}
