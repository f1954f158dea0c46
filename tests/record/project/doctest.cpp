#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "habits.h"

#include <doctest/doctest.h>

static int beforeMainOfDoctest() { return 1; }
static int early = beforeMainOfDoctest();

struct Program : doctest::IReporter {
  explicit Program(const doctest::ContextOptions &) {}
  void test_run_start() override { forProgram(); }
  void report_query(const doctest::QueryData &) override {}
  void test_run_end(const doctest::TestRunStats &) override {}
  void test_case_start(const doctest::TestCaseData &) override {}
  void test_case_reenter(const doctest::TestCaseData &) override {}
  void test_case_end(const doctest::CurrentTestCaseStats &) override {}
  void test_case_exception(const doctest::TestCaseException &) override {}
  void subcase_start(const doctest::SubcaseSignature &) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData &) override {}
  void log_message(const doctest::MessageData &) override {}
  void test_case_skipped(const doctest::TestCaseData &) override {}
};
DOCTEST_REGISTER_LISTENER("program", 1, Program);

TEST_CASE("lazy, one") { CHECK(lazy() == 42); }
TEST_CASE("lazy, two") { CHECK(lazy() == 42); }
TEST_CASE("lazy, three") { CHECK(lazy() == 42); }
TEST_CASE("thread") { CHECK(inThread() == 7); }
TEST_CASE("shared") { CHECK(inShared() == 42); }
TEST_CASE("child") { CHECK(inChild(TOOL, "once") == 0); }
TEST_CASE("spawned") { CHECK(inSpawned(TOOL, "spawned") == 0); }
TEST_CASE("true") { CHECK(chosen(true) == 1); }
TEST_CASE("false") { CHECK(chosen(false) == 2); }
