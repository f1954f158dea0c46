#include "config/glob.h"

#include <doctest/doctest.h>

#include <string>

using namespace retest;

TEST_CASE("globs: names of tests") {
  struct Row {
    const char *pattern, *name;
    bool isMatch;
  };
  const Row rows[] = {
      {"calc_test::Add.Negative", "calc_test::Add.Negative", true},
      {"calc_test::Add.Negative", "calc_test::Add.Negatives", false},
      {"calc_test::*", "calc_test::Add.Negative", true},
      {"calc_test::*", "calc_tests::Add.Negative", false},
      {"*", "", true},
      {"*", "a/b c", true},
      {"*.?", "Add.x", true},
      {"*.?", "Add.xy", false},
      {"*a*b", "xaxbxb", true},
      {"*a*b", "xbxa", false},
      {"adds [fast]", "adds [fast]", true}, // brackets are brackets
      {"adds [fast]", "adds f", false},
      {"2\\*3", "2*3", true},
      {"2\\*3", "2x3", false},
      {"2*3", "2*3", true},
      {"why\\?", "why?", true},
      {"why\\?", "whyx", false},
      {"a\\\\b", "a\\b", true},
      {"a\\b", "a\\b", true}, // exactly the name
      {"", "a", false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.name);
    CHECK(matchesName(row.pattern, row.name) == row.isMatch);
  }
}

TEST_CASE("globs: paths") {
  struct Row {
    const char *pattern, *path;
    bool isMatch;
  };
  const Row rows[] = {
      {"*.proto", "a.proto", true},
      {"*.proto", "deep/below/a.proto", true},
      {"*.proto", "a.proto.txt", false},
      {"/*.proto", "a.proto", true},
      {"/*.proto", "deep/a.proto", false},
      {"./a.proto", "a.proto", true},
      {"./a.proto", "deep/a.proto", false},
      {"./deep/*.proto", "deep/a.proto", true},
      {"cmake/*.in", "cmake/a.in", true},
      {"cmake/*.in", "cmake/deep/a.in", false},
      {"cmake/*.in", "other/cmake/a.in", false},
      {"cmake/**", "cmake/deep/a.in", true},
      {"cmake/**", "cmake", false},
      {"cmake/**/*.in", "cmake/a.in", true},
      {"cmake/**/*.in", "cmake/deep/er/a.in", true},
      {"cmake/**/*.in", "cmake/deep/er/a.out", false},
      {"**/data/*", "data/x", true},
      {"**/data/*", "a/b/data/x", true},
      {"**/data/*", "a/b/mydata/x", false},
      {"data/", "data/x/y", true},
      {"data/", "a/data/x", true},
      {"data/", "data", false},
      {"a/data/", "a/data/x", true},
      {"a/data/", "b/a/data/x", false},
      {"?.txt", "a.txt", true},
      {"a?b", "a/b", false},
      {"", "a", false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    CHECK(matchesPath(row.pattern, row.path) == row.isMatch);
  }
}

TEST_CASE("globs: a hostile pattern costs no more than another") {
  std::string pattern, name(2000, 'a');
  for (int i = 0; i < 300; ++i)
    pattern += "*a";
  CHECK(!matchesName(pattern + "b", name));
}
