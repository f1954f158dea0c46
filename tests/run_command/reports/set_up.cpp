#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

static int set_up() { return 1; }

TEST_CASE("set_up value") { MESSAGE("value " << set_up()); }
TEST_CASE("set_up other") { CHECK(2 > 1); }
