#include "report/text_cells.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("text cells: cut and filled to columns, not bytes") {
  CHECK(cutToColumns("short", 10) == "short");
  CHECK(cutToColumns("exactly ten", 11) == "exactly ten");
  CHECK(cutToColumns("exactly ten", 10) == "exactly...");
  CHECK(cutToColumns("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5) ==
        "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
  CHECK(cutToColumns("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4) == "\xc3\xa9...");
  CHECK(cutToColumns("wide", 2) == "..");
  CHECK(filledToColumns("a", 3) == "a  ");
  CHECK(filledToColumns("\xc3\xa9", 3) == "\xc3\xa9  ");
}

TEST_CASE("text cells: what a terminal would obey is not passed on") {
  CHECK(cutToColumns("a\tb", 10) == "a   b");
  CHECK(cutToColumns("a\033[2Jb\a", 20) == "a?[2Jb?");
  CHECK(cutToColumns("a\xff", 10) == "a\xef\xbf\xbd");
}
