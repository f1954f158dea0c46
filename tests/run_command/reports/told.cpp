#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

static int told() { return 1; }

TEST_CASE("told value") { MESSAGE("value " << told()); }
TEST_CASE("told other") { CHECK(2 > 1); }
