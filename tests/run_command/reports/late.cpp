#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

static int late() { return 1; }

TEST_CASE("late value") { MESSAGE("value " << late()); }
TEST_CASE("late other") { CHECK(2 > 1); }
