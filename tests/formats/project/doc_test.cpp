#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "code.h"
#include "tell.h"

#include <doctest/doctest.h>

static void run(const std::string &name, bool isHot) {
  tell(PROGRAM, name, isHot);
  CHECK((isHot ? hot(1) : cold(1)) > 1);
}

#define HOT(name)                                                                                  \
  TEST_CASE(name) { run(name, true); }
#define COLD(name)                                                                                 \
  TEST_CASE(name) { run(name, false); }

HOT("plain hot")
COLD("plain cold")
COLD("Plain hot")
TEST_CASE("skipped hot" * doctest::skip()) { run("skipped hot", true); }
HOT("a,b hot")
COLD("a,b cold")
HOT("\"quoted\" hot")
COLD("\"quoted\" cold")
HOT("[bracket] hot")
COLD("[bracket] cold")
HOT("back\\slash hot")
COLD("back\\slash cold")
HOT("ends hot \\")
COLD("ends cold \\")
HOT("*star hot")
COLD("*star cold")
HOT("~tilde hot")
COLD("~tilde cold")
HOT("#hash hot")
COLD("#hash cold")
HOT("exclude:hot")
COLD("exclude:cold")
HOT("  blanks hot  ")
COLD("  blanks cold  ")
HOT("d\xC3\xA9j\xC3\xA0 vu hot")
COLD("d\xC3\xA9j\xC3\xA0 vu cold")
HOT("it's hot")
COLD("it's cold")
HOT("-tc=plain hot")
COLD("-tc=plain cold")
TEST_SUITE("first") {
  TEST_CASE("same") { run("same", true); }
  TEST_CASE("first's own") { run("first's own", false); }
}
TEST_SUITE("second") {
  TEST_CASE("same") { run("same", false); }
}
TEST_CASE("subcases hot") {
  run("subcases hot", true);
  SUBCASE("one") { CHECK(hot(1) > 1); }
  SUBCASE("two") { CHECK(hot(1) > 1); }
}
TEST_CASE_TEMPLATE("typed hot", T, int, long) {
  run(std::string("typed hot<") + (sizeof(T) == 4 ? "int" : "long") + ">", true);
}
TEST_CASE_TEMPLATE("typed cold", T, int, long) {
  run(std::string("typed cold<") + (sizeof(T) == 4 ? "int" : "long") + ">", false);
}
