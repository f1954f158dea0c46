#include "graph/names.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("names: each string is kept once, and ids come in order of first use") {
  Names names;
  NameId first = names.intern("f()");
  NameId second = names.intern("g()");
  CHECK(names.intern("f()") == first);
  CHECK(first.value == 0);
  CHECK(second.value == 1);
  CHECK(names.text(second) == "g()");
  CHECK(names.size() == 2);
}

TEST_CASE("names: an unknown string has no id, and no id has no text") {
  Names names;
  CHECK(!names.find("f()").isValid());
  CHECK(names.text(NameId{}) == "");
}
