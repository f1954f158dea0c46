#define CATCH_CONFIG_MAIN
#include "code.h"
#include "tell.h"

#include <catch2/catch.hpp>

static void run(bool isHot) {
  tell(PROGRAM, Catch::getResultCapture().getCurrentTestName(), isHot);
  CHECK((isHot ? hot(1) : cold(1)) > 1);
}

TEST_CASE("plain hot") { run(true); }
TEST_CASE("plain cold") { run(false); }
TEST_CASE("hidden and hot", "[.]") { run(true); }
TEST_CASE("hidden and cold", "[.]") { run(false); }
TEST_CASE("a,b hot") { run(true); }
TEST_CASE("a,b cold") { run(false); }
TEST_CASE("\"quoted\" hot") { run(true); }
TEST_CASE("\"quoted\" cold") { run(false); }
TEST_CASE("[bracket] hot") { run(true); }
TEST_CASE("[bracket] cold") { run(false); }
TEST_CASE("back\\slash hot") { run(true); }
TEST_CASE("back\\slash cold") { run(false); }
TEST_CASE("ends hot \\") { run(true); }
TEST_CASE("ends cold \\") { run(false); }
TEST_CASE("*star hot") { run(true); }
TEST_CASE("*star cold") { run(false); }
TEST_CASE("~tilde hot") { run(true); }
TEST_CASE("~tilde cold") { run(false); }
TEST_CASE("#hash hot") { run(true); }
TEST_CASE("#hash cold") { run(false); }
TEST_CASE("exclude:hot") { run(true); }
TEST_CASE("exclude:cold") { run(false); }
TEST_CASE("  blanks hot  ") { run(true); }
TEST_CASE("  blanks cold  ") { run(false); }
TEST_CASE("d\xC3\xA9j\xC3\xA0 vu hot") { run(true); }
TEST_CASE("d\xC3\xA9j\xC3\xA0 vu cold") { run(false); }
TEST_CASE("it's hot") { run(true); }
TEST_CASE("it's cold") { run(false); }
TEST_CASE("Two hot") { run(true); }
TEST_CASE("two hot") { run(true); } // the filter does not see the difference
TEST_CASE("sections hot") {
  run(true);
  SECTION("one") { CHECK(hot(1) > 1); }
  SECTION("two") { CHECK(hot(1) > 1); }
}
TEMPLATE_TEST_CASE("typed hot", "", int, long) { run(true); }
TEMPLATE_TEST_CASE("typed cold", "", int, long) { run(false); }
