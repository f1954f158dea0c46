// A program of a user with doctest, with names that filters trip over.

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

TEST_CASE("plain") {}
TEST_CASE("Plain") {}
TEST_CASE("plain and more") {}
TEST_CASE("fails") { CHECK(1 == 2); }
TEST_CASE("skipped" * doctest::skip()) {}
TEST_CASE("") {}
TEST_CASE("a,b") {}
TEST_CASE("a") {}
TEST_CASE("b") {}
TEST_CASE(",") {}
TEST_CASE("\"quoted\" & <tagged> 'too'") {}
TEST_CASE("[bracket]") {}
TEST_CASE("back\\slash") {}
TEST_CASE("ends in \\") {}
TEST_CASE("comma after \\,") {}
TEST_CASE("*star") {}
TEST_CASE("not a star") {}
TEST_CASE("question?") {}
TEST_CASE("~tilde") {}
TEST_CASE("#hash") {}
TEST_CASE("exclude:this") {}
TEST_CASE("-tc=plain") {}
TEST_CASE("  blanks around  ") {}
TEST_CASE("blanks around") {}
TEST_CASE("d\xC3\xA9j\xC3\xA0 vu") {}
TEST_CASE_TEMPLATE("typed", T, int, long) {}

TEST_SUITE("first") {
  TEST_CASE("plain") {}
  TEST_CASE("same") {}
}
TEST_SUITE("second, with a comma") {
  TEST_CASE("same") {}
}
TEST_SUITE("First") {
  TEST_CASE("same") {}
}
