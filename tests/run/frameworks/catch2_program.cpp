// A program of a user with Catch2, with names that filters trip over.

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

TEST_CASE("plain", "[tag]") {}
TEST_CASE("Two", "[tag]") {}
TEST_CASE("two", "[tag]") {}
TEST_CASE("plain and more") {}
TEST_CASE("fails") { CHECK(1 == 2); }
TEST_CASE("asserts") { CHECK(1 == 1); }
TEST_CASE("hidden", "[.]") {}
TEST_CASE("hidden by a tag", "[.slow]") {}
TEST_CASE("a,b") {}
TEST_CASE("a") {}
TEST_CASE("b") {}
TEST_CASE("\"quoted\" & <tagged> 'too'") {}
TEST_CASE("\"quoted\"") {}
TEST_CASE("[bracket]") {}
TEST_CASE("[tag]") {}
TEST_CASE("back\\slash") {}
TEST_CASE("ends in \\") {}
TEST_CASE("*star") {}
TEST_CASE("no star") {}
TEST_CASE("star*") {}
TEST_CASE("st*ar") {}
TEST_CASE("~tilde") {}
TEST_CASE("~") {}
TEST_CASE("~ tilde and blank") {}
TEST_CASE("#hash") {}
TEST_CASE("exclude:this") {}
TEST_CASE("exclude:[tag]") {}
TEST_CASE("-tc=plain") {}
TEST_CASE("--list-tests") {}
TEST_CASE("  blanks around  ") {}
TEST_CASE("tab\tand @at") {}
TEST_CASE("d\xC3\xA9j\xC3\xA0 vu") {}
TEMPLATE_TEST_CASE("typed", "", int, long) {}
SCENARIO("behaves") {}
