// The same entries, run by CTest and by us: what both say of them.

#include "tests/run/suite/ctest_project.h"
#include "tests/run/suite/suite_run.h"

using namespace retest;

namespace {

const char *asCTestSays(TestStatus status) {
  switch (status) {
  case TestStatus::Passed:
    return "Passed";
  case TestStatus::Failed:
    return "***Failed";
  case TestStatus::TimedOut:
    return "***Timeout";
  case TestStatus::Crashed:
    return "***Exception";
  case TestStatus::Skipped:
    return "***Skipped";
  case TestStatus::Disabled:
  case TestStatus::NotRun:
    return "***Not";
  }
  return "";
}

/// A shell script as a test: what it does, and its properties.
struct Row {
  const char *name, *script, *properties;
};

void compareAll(const std::vector<Row> &rows, const std::string &more = "") {
  std::string lists;
  for (const Row &row : rows) {
    std::string name = row.name;
    lists += "add_test(NAME " + name + " COMMAND /bin/sh -c [==[" + row.script + "]==])\n";
    if (*row.properties)
      lists += "set_tests_properties(" + name + " PROPERTIES " + row.properties + ")\n";
  }
  CTestProject project(lists + more);
  std::map<std::string, std::string> theirs = project.verdicts({"-j2"});
  CHECK(theirs.size() >= rows.size());
  SuiteRan ran = runEntries(project.entries());
  CHECK(ran.outcomes.size() == theirs.size());
  for (const auto &[name, outcome] : ran.outcomes) {
    CAPTURE(name);
    CAPTURE(outcome.unmeasured);
    CAPTURE(outcome.output);
    CHECK(theirs[name] == asCTestSays(outcome.status));
  }
}

} // namespace

TEST_CASE("outcomes are CTest's: exits, signals, time") {
  compareAll({
      {"passes", "true", ""},
      {"fails", "exit 3", ""},
      {"fails_as_told", "exit 3", "WILL_FAIL ON"},
      {"passes_against", "true", "WILL_FAIL ON"},
      {"segfault", "kill -SEGV $$", ""},
      {"segfault_as_told", "kill -SEGV $$", "WILL_FAIL ON"},
      {"aborts", "kill -ABRT $$", ""},
      {"killed", "kill -KILL $$", ""},
      {"terminated", "kill -TERM $$", "PASS_REGULAR_EXPRESSION x"},
      {"slow", "sleep 600", "TIMEOUT 0.5"},
      {"slow_as_told", "sleep 600", "TIMEOUT 0.5 WILL_FAIL ON"},
      {"slow_with_good_words", "echo x; sleep 600", "TIMEOUT 0.5 PASS_REGULAR_EXPRESSION x"},
      {"slow_children", "sleep 600 & sleep 600 & wait", "TIMEOUT 0.5"},
      {"after_match", "echo ready; sleep 600", "TIMEOUT_AFTER_MATCH \"0.5;ready\" TIMEOUT 300"},
      {"before_match", "sleep 0.2; echo ready", "TIMEOUT_AFTER_MATCH \"9;ready\" TIMEOUT 300"},
      {"big_code", "exit 200", ""},
      {"child_left", "sleep 600 >/dev/null 2>&1 &", ""},
  });
}

TEST_CASE("outcomes are CTest's: skipping and regular expressions") {
  compareAll({
      {"skip_code", "exit 77", "SKIP_RETURN_CODE 77"},
      {"skip_code_0", "true", "SKIP_RETURN_CODE 0"},
      {"skip_code_told", "exit 77", "SKIP_RETURN_CODE 77 WILL_FAIL ON"},
      {"skip_words", "echo not today", "SKIP_REGULAR_EXPRESSION today"},
      {"skip_words_in_failure", "echo not today; exit 1", "SKIP_REGULAR_EXPRESSION today"},
      {"skip_not_in_crash", "echo not today; kill -SEGV $$", "SKIP_REGULAR_EXPRESSION today"},
      {"skip_before_fail", "echo a b", "SKIP_REGULAR_EXPRESSION a FAIL_REGULAR_EXPRESSION b"},
      {"pass_words", "echo good; exit 1", "PASS_REGULAR_EXPRESSION good"},
      {"pass_words_missing", "echo bad", "PASS_REGULAR_EXPRESSION good"},
      {"pass_words_told", "echo good", "PASS_REGULAR_EXPRESSION good WILL_FAIL ON"},
      {"pass_words_missing_told", "true", "PASS_REGULAR_EXPRESSION good WILL_FAIL ON"},
      {"pass_second", "echo b", "PASS_REGULAR_EXPRESSION \"a;b\""},
      {"pass_and_fail", "echo a b", "PASS_REGULAR_EXPRESSION a FAIL_REGULAR_EXPRESSION b"},
      {"fail_words", "echo bad", "FAIL_REGULAR_EXPRESSION bad"},
      {"fail_words_told", "echo bad", "FAIL_REGULAR_EXPRESSION bad WILL_FAIL ON"},
      {"fail_words_absent", "exit 1", "FAIL_REGULAR_EXPRESSION bad"},
      {"both_streams", "echo one; echo two >&2; echo three",
       "PASS_REGULAR_EXPRESSION one.two.three"},
      {"first_of_text", "echo a; echo b", "PASS_REGULAR_EXPRESSION \"^b\""},
      {"last_of_text", "printf 'a\\nb'", "PASS_REGULAR_EXPRESSION \"b$\""},
      {"last_line_end", "printf 'a\\nb'", "PASS_REGULAR_EXPRESSION \"b.$\""},
      {"carriage", "printf 'a\\r\\nb'", "PASS_REGULAR_EXPRESSION \"a.b\""},
      {"zero_byte", "printf 'a\\0b'", "PASS_REGULAR_EXPRESSION \"a.b\""},
      {"brackets", "echo '[  SKIPPED ]'", "SKIP_REGULAR_EXPRESSION \"\\\\[  SKIPPED \\\\]\""},
      {"bad_pass", "echo '('", "PASS_REGULAR_EXPRESSION \"(\""},
      {"bad_fail", "echo '('", "FAIL_REGULAR_EXPRESSION \"(\""},
      {"bad_skip", "echo '*'", "SKIP_REGULAR_EXPRESSION \"*\""},
      {"bad_then_good", "echo x", "PASS_REGULAR_EXPRESSION \"(;x\""},
  });
}

TEST_CASE("outcomes are CTest's: what has to be there before") {
  compareAll(
      {
          {"disabled", "true", "DISABLED ON"},
          {"files_there", "true", "REQUIRED_FILES \"/etc/passwd;/bin/sh\""},
          {"files_missing", "true", "REQUIRED_FILES \"/etc/passwd;/no/such/file\""},
          {"files_missing_told", "true", "REQUIRED_FILES /no/such/file WILL_FAIL ON"},
          {"nowhere", "true", "WORKING_DIRECTORY /no/such/directory"},
          {"environment", "test \"$A$B\" = 12", "ENVIRONMENT \"A=1;B=2\""},
          {"sets_up", "exit 1", "FIXTURES_SETUP f"},
          {"uses", "true", "FIXTURES_REQUIRED f"},
          {"cleans", "true", "FIXTURES_CLEANUP f"},
          {"skips_set_up", "exit 7", "FIXTURES_SETUP g SKIP_RETURN_CODE 7"},
          {"uses_skipped", "true", "FIXTURES_REQUIRED g"},
          {"disabled_set_up", "exit 1", "FIXTURES_SETUP h DISABLED ON"},
          {"uses_disabled", "true", "FIXTURES_REQUIRED h"},
          {"needs_both", "true", "FIXTURES_REQUIRED \"g;f\""},
          {"disabled_use", "true", "FIXTURES_REQUIRED f DISABLED ON"},
          {"set_up_of_broken", "true", "FIXTURES_SETUP i FIXTURES_REQUIRED f"},
          {"uses_broken", "true", "FIXTURES_REQUIRED i"},
          {"after_failure", "true", "DEPENDS sets_up"},
          {"serial", "true", "RUN_SERIAL ON"},
          {"locked", "true", "RESOURCE_LOCK l PROCESSORS 8"},
      },
      "add_test(NAME absent COMMAND no-such-program)\n"
      "add_test(NAME absent_told COMMAND no-such-program)\n"
      "set_tests_properties(absent_told PROPERTIES WILL_FAIL ON)\n"
      "add_test(NAME unreadable COMMAND /etc/passwd)\n"
      "file(WRITE ${CMAKE_BINARY_DIR}/bare \"exit 3\")\n"
      "file(CHMOD ${CMAKE_BINARY_DIR}/bare PERMISSIONS OWNER_READ OWNER_EXECUTE)\n"
      "add_test(NAME no_interpreter_named COMMAND ${CMAKE_BINARY_DIR}/bare)\n"
      "file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/a=b)\n"
      "file(COPY ${CMAKE_BINARY_DIR}/bare DESTINATION ${CMAKE_BINARY_DIR}/a=b)\n"
      "add_test(NAME odd_path COMMAND ${CMAKE_BINARY_DIR}/a=b/bare)\n"
      "add_test(NAME a_directory COMMAND ${CMAKE_BINARY_DIR})\n");
}

TEST_CASE("outcomes are CTest's: tests of frameworks, one entry for each") {
  auto compareDiscovered = [](const std::string &lists) {
    CTestProject project(lists);
    std::map<std::string, std::string> theirs = project.verdicts();
    SuiteRan ran = runEntries(project.entries());
    std::size_t compared = 0;
    for (const FoundTest &test : ran.tests)
      for (const std::string &entry : test.entries)
        if (auto found = theirs.find(entry); found != theirs.end() && test.entries.size() == 1) {
          CAPTURE(test.name);
          CHECK(found->second == asCTestSays(ran.outcomes[idOf(test)].status));
          ++compared;
        }
    return compared;
  };
  CHECK(compareDiscovered(std::string("include(GoogleTest)\nadd_executable(g IMPORTED)\n") +
                          "set_target_properties(g PROPERTIES IMPORTED_LOCATION " +
                          GOOGLETEST_PROGRAM +
                          ")\ngtest_discover_tests(g DISCOVERY_MODE PRE_TEST)\n") >= 10);
}
