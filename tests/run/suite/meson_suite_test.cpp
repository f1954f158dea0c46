#include "run/meson_suite.h"

#include "run/test_outcome.h"

#include <doctest/doctest.h>

using namespace retest;
using std::chrono::milliseconds;

namespace {

constexpr char kTests[] = R"([
  {"name": "unit", "command": ["/b/unit", "-x"], "workdir": null, "timeout": 20,
   "env": [["set", "A", "1", ":"], ["prepend", "PATH", "/x", ":"], ["append", "L", "y", ";"],
           ["unset", "U", "", ""]],
   "suite": ["calc:fast"], "is_parallel": true, "should_fail": false, "protocol": "gtest",
   "wrapper": []},
  {"name": "long", "command": ["/b/tool"], "workdir": "/s", "timeout": 0, "env": [], "suite": [],
   "is_parallel": false, "should_fail": true, "protocol": "exitcode", "wrapper": []},
  {"name": "tap", "command": ["/b/tap"], "workdir": null, "timeout": -1, "suite": [],
   "env": [["append", "A", "x", "+"]], "is_parallel": true, "should_fail": false,
   "protocol": "tap", "wrapper": ["valgrind"]},
  {"name": "rust", "command": ["/b/rust"], "workdir": null, "timeout": 1.5, "env": [], "suite": [],
   "is_parallel": true, "should_fail": false, "protocol": "rust", "wrapper": []}])";

std::vector<SuiteEntry> entries() { return llvm::cantFail(parseMesonSuite(kTests, "/b")); }

TestStatus outcome(std::size_t test, int exitCode, int signal, llvm::StringRef output = "") {
  RunEnd end;
  end.exitCode = exitCode;
  end.signal = signal;
  return statusOf(outcomeRulesOf(entries()[test]), end, output);
}

} // namespace

TEST_CASE("tests of Meson: all that it says about them") {
  REQUIRE(entries().size() == 4);
  SuiteEntry unit{.name = "unit", .command = {"/b/unit", "-x"}, .directory = "/b"};
  unit.environment = {"MESON_TEST_ITERATION=1"};
  unit.environmentModifications = {"A=set:1", "PATH=path_list_prepend:/x", "L=cmake_list_append:y",
                                   "U=unset:"};
  unit.timeout = milliseconds(20000);
  unit.skipReturnCode = 77;
  unit.errorReturnCode = 99;
  unit.mayCrashToFail = true;
  unit.labels = {"calc:fast"};
  CHECK(entries()[0] == unit);
  CHECK(entries()[1].willFail);
  CHECK(entries()[1].runsAlone);
  CHECK(entries()[1].directory == "/s");
  CHECK(!entries()[1].timeout);
  CHECK(!entries()[2].timeout);
  CHECK(entries()[2].unknownProperties ==
        std::vector<std::string>{"env: append A x +", "exe_wrapper: valgrind"});
  CHECK(entries()[3].timeout == milliseconds(1500));
  CHECK(entries()[3].unknownProperties == std::vector<std::string>{"protocol: rust"});
}

TEST_CASE("tests of Meson: outcomes") {
  CHECK(outcome(0, 0, 0) == TestStatus::Passed);
  CHECK(outcome(0, 77, 0) == TestStatus::Skipped);
  CHECK(outcome(0, 0, 6) == TestStatus::Crashed);
  // Meant to fail.
  CHECK(outcome(1, 0, 0) == TestStatus::Failed);
  CHECK(outcome(1, 1, 0) == TestStatus::Passed);
  CHECK(outcome(1, 0, 6) == TestStatus::Passed);
  CHECK(outcome(1, 77, 0) == TestStatus::Skipped);
  CHECK(outcome(1, 99, 0) == TestStatus::Failed);
  // The test anything protocol.
  CHECK(outcome(2, 0, 0, "1..2\nok 1\nok 2 - not ok\n") == TestStatus::Passed);
  CHECK(outcome(2, 0, 0, "1..2\nok 1\nnot ok 2 - x\n") == TestStatus::Failed);
  CHECK(outcome(2, 0, 0, "not ok 1 - see #12\n") == TestStatus::Failed);
  CHECK(outcome(2, 0, 0, "not ok 1 - x # TODO later\n") == TestStatus::Passed);
  CHECK(outcome(2, 0, 0, "not ok 1 - x # TODO later\nnot ok 2\n") == TestStatus::Failed);
  CHECK(outcome(2, 0, 0, "not ok 1 # Tango\n") == TestStatus::Failed);
  CHECK(outcome(2, 0, 0, "ok 1\nBail out! no disk\n") == TestStatus::Failed);
  CHECK(outcome(2, 0, 0, "1..0 # SKIP no display\n") == TestStatus::Skipped);
}

TEST_CASE("tests of Meson: an answer that is none") {
  for (const char *json : {"{", "{}", "[1]"}) {
    auto bad = parseMesonSuite(json, "/b");
    CHECK(!bad);
    llvm::consumeError(bad.takeError());
  }
}
