#include "run/tests_run.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ErrorHandling.h>

#include <tuple>

namespace retest {

namespace {

/// `text` after colour codes and blanks.
llvm::StringRef afterColour(llvm::StringRef text) {
  for (;;) {
    text = text.ltrim(" \r");
    if (!text.consume_front("\033["))
      return text;
    text = text.drop_while([](char c) { return llvm::isDigit(c) || c == ';'; });
    text = text.drop_front(text.empty() ? 0 : 1); // the letter that says what the code does
  }
}

/// The number at the beginning, if one of `words` follows it.
std::optional<unsigned> numberBefore(llvm::StringRef text,
                                     std::initializer_list<llvm::StringRef> words) {
  unsigned number = 0;
  if (text.consumeInteger(10, number))
    return std::nullopt;
  text = afterColour(text);
  for (llvm::StringRef word : words)
    if (text.starts_with(word))
      return number;
  return std::nullopt;
}

/// `[==========] 2 tests from 1 test suite ran. (0 ms total)`; the line before the tests has
/// `Running` in front.
std::optional<unsigned> googleTestLine(llvm::StringRef line) {
  if (!line.consume_front("[==========]") || !line.contains(" ran."))
    return std::nullopt;
  return numberBefore(afterColour(line), {"test from", "tests from"});
}

/// `[doctest] test cases: 1 | 1 passed | 0 failed | 3 skipped`
std::optional<unsigned> doctestLine(llvm::StringRef line) {
  if (!line.consume_front("[doctest]"))
    return std::nullopt;
  line = afterColour(line);
  if (!line.consume_front("test cases:"))
    return std::nullopt;
  return numberBefore(afterColour(line), {"|"});
}

/// The sum of an XML element's attributes: `successes="1" failures="0"/>`.
unsigned sumOfAttributes(llvm::StringRef text) {
  unsigned sum = 0, number = 0;
  while (text.contains('"')) {
    text = text.split('"').second;
    if (!text.consumeInteger(10, number))
      sum += number;
    text = text.split('"').second;
  }
  return sum;
}

/// `All tests passed (3 assertions in 1 test case)`, `test cases: 2 | 1 passed | 1 failed`,
/// `No tests ran`; the reporter `compact`: `Passed both 2 test cases with 3 assertions.`; `xml`:
/// `<OverallResultsCases successes="1" failures="0" expectedFailures="0"/>`. `junit` has elements
/// for tests with assertions only, one for each section: that there is one says that a test ran.
std::optional<unsigned> catch2Line(llvm::StringRef line) {
  if (line.consume_front("<OverallResultsCases "))
    return sumOfAttributes(line);
  if (line.starts_with("<testcase "))
    return 1;
  if (line.consume_front("Passed ") || line.consume_front("Failed ")) {
    if (!line.consume_front("both "))
      line.consume_front("all ");
    return numberBefore(line, {"test case"});
  }
  if (line.starts_with("No tests ran"))
    return 0;
  if (line.consume_front("All tests passed"))
    return numberBefore(line.split(" in ").second, {"test case"});
  if (line.consume_front("test cases:"))
    return numberBefore(afterColour(line), {"|"});
  return std::nullopt;
}

/// `Running 1 test case...`; `Test setup error: no test cases matching filter or ...`.
std::optional<unsigned> boostTestLine(llvm::StringRef line) {
  if (line.starts_with("Test setup error: no test cases matching filter"))
    return 0;
  if (!line.consume_front("Running "))
    return std::nullopt;
  return numberBefore(line, {"test case...", "test cases..."});
}

std::optional<unsigned> lineOf(Framework framework, llvm::StringRef line) {
  switch (framework) {
  case Framework::GoogleTest:
    return googleTestLine(line);
  case Framework::Catch2:
    return catch2Line(line);
  case Framework::Doctest:
    return doctestLine(line);
  case Framework::BoostTest:
    return boostTestLine(line);
  }
  llvm_unreachable("each framework has its line");
}

} // namespace

std::optional<unsigned> testsRun(Framework framework, llvm::StringRef standardOutput,
                                 llvm::StringRef standardError) {
  // Boost.Test speaks before the tests do, the others after them.
  bool isFirst = framework == Framework::BoostTest;
  std::optional<unsigned> result;
  for (llvm::StringRef rest : {standardOutput, standardError}) {
    while (!rest.empty() && !(isFirst && result)) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      if (auto number = lineOf(framework, afterColour(line)))
        result = number;
    }
    if (result)
      break;
  }
  return result;
}

} // namespace retest
