#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

static int quiet() { return 1; }

TEST_CASE("quiet value") { MESSAGE("value " << quiet()); }
TEST_CASE("quiet other") { CHECK(2 > 1); }
