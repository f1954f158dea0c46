#include "support/shell.h"

#include "support/process.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("shell: words arrive as they are") {
  CHECK(shellQuoted("--run_test=a/b,c:d") == "--run_test=a/b,c:d");
  CHECK(shellQuoted("") == "''");
  CHECK(shellQuoted("it's") == "'it'\\''s'");
  const std::vector<std::string> words = {
      "plain", "",   "it's", "a b",      "$x", "`x`", "\\", "\"",    "*",   "~", "#", "!",
      "=x",    "-n", "a\nb", "\xC3\xA9", "(",  "&",   ";",  "{a,b}", "[x]", "<", "%", "\t"};
  std::string command = "printf '%s\\0' " + shellCommand(words);
  auto result = runProcess({.arguments = {"sh", "-c", command}});
  REQUIRE(bool(result));
  std::string expected;
  for (const std::string &word : words)
    expected += word + '\0';
  CHECK(result->output == expected);
}
