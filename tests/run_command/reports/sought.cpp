#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

static int sought() { return 1; }

TEST_CASE("sought value") { MESSAGE("value " << sought()); }
TEST_CASE("sought other") { CHECK(2 > 1); }
