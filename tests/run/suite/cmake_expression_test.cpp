#include "run/cmake_expression.h"

#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <random>

using namespace retest;

namespace {

struct Search {
  std::string expression, text;
};

/// What CMake itself finds: a line for each, "1" or "0".
std::string foundByCMake(const std::vector<Search> &searches) {
  std::string script = "cmake_minimum_required(VERSION 3.20)\n";
  for (const Search &search : searches)
    script += "if([====[\n" + search.text + "]====] MATCHES [====[\n" + search.expression +
              "]====])\n message(1)\nelse()\n message(0)\nendif()\n";
  TemporaryDirectory directory;
  auto result = runProcess({.arguments = {"cmake", "-P", directory.write("script.cmake", script)}});
  REQUIRE(bool(result));
  return result->errors;
}

} // namespace

TEST_CASE("regular expressions of CMake: found where CMake finds them") {
  const std::vector<Search> searches = {
      {"a.c", "xabcx"},
      {"a.c", "a\nc"},
      {"^b", "a\nb"},
      {"a$", "a\nb"},
      {"b$", "a\nb"},
      {"^$", ""},
      {"^a|b$", "xb"},
      {"x(a|b)+y", "xabay"},
      {"\\.", "ab"},
      {"\\.", "a.b"},
      {"\\d", "5"},
      {"\\d", "d"},
      {"[0-9]+", "a12"},
      {"[^a]", "\n"},
      {"[\\]", "\\"},
      {"[\\n]x", "nx"},
      {"[]a]", "]"},
      {"[^]a]", "]"},
      {"[a-]", "-"},
      {"[-a]", "-"},
      {"[a-c-e]", "d"},
      {"a{2}", "aa"},
      {"a{2}", "a{2}"},
      {"[[:alpha:]]", "x]"},
      {"[[:alpha:]]", ":]"},
      {"(a|)b", "b"},
      {"(^a)", "ba"},
      {"a(b$)", "ab"},
      {"\\[  SKIPPED \\]", "[  SKIPPED ] 1"},
      {"\xC3\xA9", "d\xC3\xA9j\xC3\xA0"},
      {"[\xC3]\xA9", "\xC3\xA9"},
      {"(a)(b)?c", "ac"},
      {"a|b|c", "xxc"},
      {"x^y", "xy"},
      {"/path/(to|from)/.*\\.txt", "/path/from/a.txt"},
      {"a?b*c+", "c"},
  };
  std::string expected = foundByCMake(searches), ours;
  for (const Search &search : searches) {
    auto expression = CMakeExpression::compile(search.expression);
    REQUIRE_MESSAGE(bool(expression), search.expression);
    ours += expression->isFoundIn(search.text) ? "1\n" : "0\n";
  }
  CHECK(ours == expected);
}

TEST_CASE("regular expressions of CMake: random ones") {
  std::mt19937 random(20260);
  auto any = [&](llvm::StringRef letters, unsigned most) {
    std::string result;
    for (unsigned size = 1 + random() % most; size > 0; --size)
      result += letters[random() % letters.size()];
    return result;
  };
  std::vector<Search> searches;
  std::string ours;
  while (searches.size() < 3000) {
    Search search{any("aab(().[]-^$*+?|\\", 8), any("aabb-(.]\n", 7)};
    if (auto expression = CMakeExpression::compile(search.expression)) {
      ours += expression->isFoundIn(search.text) ? "1\n" : "0\n";
      searches.push_back(search);
    } else {
      llvm::consumeError(expression.takeError());
    }
  }
  std::string expected = foundByCMake(searches);
  CHECK(expected.size() == ours.size()); // CMake refuses none of them
  for (std::size_t i = 0; 2 * i < std::min(ours.size(), expected.size()); ++i)
    if (ours[2 * i] != expected[2 * i])
      FAIL_CHECK(searches[i].expression << " in " << searches[i].text);
}

TEST_CASE("regular expressions of CMake: what it refuses is refused") {
  std::string many;
  for (int i = 0; i < 32; ++i)
    many += "(a)";
  for (const std::string &text :
       {std::string("("), std::string(")"), std::string("a)"), std::string("*a"),
        std::string("a**"), std::string("a+?"), std::string("(a*)*"), std::string("(a|b*)+"),
        std::string("^*"), std::string("[a"), std::string("["), std::string("[b-a]"),
        std::string("a\\"), std::string("()*"), many}) {
    CAPTURE(text);
    auto expression = CMakeExpression::compile(text);
    CHECK(!expression);
    llvm::consumeError(expression.takeError());
    CHECK(foundByCMake({{text, "a"}}).find("CMake Error") != std::string::npos);
  }
}
