#define CATCH_CONFIG_MAIN
#include "habits.h"

#include <catch2/catch.hpp>

static int beforeMainOfCatch2() { return 1; }
static int early = beforeMainOfCatch2();

struct Program : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunStarting(const Catch::TestRunInfo &) override { forProgram(); }
};
CATCH_REGISTER_LISTENER(Program)

TEST_CASE("lazy, one") { CHECK(lazy() == 42); }
TEST_CASE("lazy, two") { CHECK(lazy() == 42); }
TEST_CASE("lazy, three") { CHECK(lazy() == 42); }
TEST_CASE("thread") { CHECK(inThread() == 7); }
TEST_CASE("shared") { CHECK(inShared() == 42); }
TEST_CASE("child") { CHECK(inChild(TOOL, "once") == 0); }
TEST_CASE("spawned") { CHECK(inSpawned(TOOL, "spawned") == 0); }
TEST_CASE("sides") {
  SECTION("true") { CHECK(chosen(true) == 1); }
  SECTION("false") { CHECK(chosen(false) == 2); }
}
