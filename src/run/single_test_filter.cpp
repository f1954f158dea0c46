#include "run/single_test_filter.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/ErrorHandling.h>

namespace retest {

namespace {

/// `text` with a backslash before each of `special`.
std::string escaped(llvm::StringRef text, llvm::StringRef special) {
  std::string result;
  for (char c : text) {
    if (special.contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

/// What a framework compares: the filter's pattern, with `*` and `?` as wildcards, to the subjects
/// of all tests.
struct Match {
  std::string pattern, subject;
  bool hasWildcard = false;
};

std::string googleTestPattern(std::string name) {
  for (char &c : name)
    if (llvm::StringRef(":-*?").contains(c))
      c = '?';
  return name;
}

/// What the filter's syntax cannot hold is cut short: the case `a,b` is `a*`.
std::string boostTestName(llvm::StringRef name) {
  std::size_t end = name.find_first_of("*,:!+@/");
  return name.substr(0, end).str() + (end == llvm::StringRef::npos ? "" : "*");
}

std::string boostTestPattern(const NativeTest &test) {
  if (test.suite.empty())
    return boostTestName(test.name);
  std::string path;
  for (llvm::StringRef suite : llvm::split(test.suite, '/'))
    path += boostTestName(suite) + "/";
  return path + boostTestName(llvm::StringRef(test.name).drop_front(test.suite.size() + 1));
}

Match matchOf(Framework framework, const NativeTest &test) {
  Match match;
  switch (framework) {
  case Framework::GoogleTest:
    match = {googleTestPattern(test.name), test.name};
    break;
  case Framework::Catch2:
    match.pattern = match.subject = llvm::StringRef(test.name).trim().lower();
    match.hasWildcard = match.pattern.starts_with('*') || match.pattern.ends_with('*');
    return match;
  case Framework::Doctest:
    match.pattern = match.subject = test.suite + '\n' + test.name;
    break;
  case Framework::BoostTest:
    match = {boostTestPattern(test), test.name};
    break;
  }
  match.hasWildcard = llvm::StringRef(match.pattern).find_first_of("*?") != llvm::StringRef::npos;
  return match;
}

bool matches(llvm::StringRef pattern, llvm::StringRef subject) {
  while (!pattern.empty() && pattern.front() != '*') {
    if (subject.empty() || (pattern.front() != '?' && pattern.front() != subject.front()))
      return false;
    pattern = pattern.drop_front();
    subject = subject.drop_front();
  }
  if (pattern.empty())
    return subject.empty();
  pattern = pattern.ltrim('*');
  if (pattern.empty())
    return true;
  for (; !subject.empty(); subject = subject.drop_front())
    if (matches(pattern, subject))
      return true;
  return false;
}

/// The name stands in double quotes: they keep a first `~` or `-` from meaning something. A quoted
/// `exclude:` still inverts the filter, but only in small letters, and names have no case.
std::vector<std::string> catch2Arguments(llvm::StringRef name) {
  std::string text = name.trim().str();
  if (llvm::StringRef(text).starts_with("exclude:"))
    text.front() = 'E';
  return {'"' + escaped(text, "\\,[]\"") + '"'};
}

/// An empty filter would match everything; so what is to be empty is told by excluding all that
/// has at least one character.
std::string doctestArgument(llvm::StringRef option, llvm::StringRef value) {
  if (value.empty())
    return ("--dt-" + option + "-exclude=?*").str();
  return ("--dt-" + option + "=" + escaped(value, "\\,")).str();
}

std::vector<std::string> doctestArguments(const NativeTest &test) {
  std::vector<std::string> arguments = {doctestArgument("test-case", test.name),
                                        doctestArgument("test-suite", test.suite),
                                        "--dt-case-sensitive=true"};
  if (test.isDisabled)
    arguments.push_back("--dt-no-skip=true");
  return arguments;
}

std::vector<std::string> argumentsFor(Framework framework, const NativeTest &test) {
  std::vector<std::string> arguments;
  switch (framework) {
  case Framework::GoogleTest:
    arguments.push_back("--gtest_filter=" + googleTestPattern(test.name));
    if (test.isDisabled)
      arguments.push_back("--gtest_also_run_disabled_tests");
    return arguments;
  case Framework::Catch2:
    return catch2Arguments(test.name);
  case Framework::Doctest:
    return doctestArguments(test);
  case Framework::BoostTest:
    return {"--run_test=" + boostTestPattern(test)};
  }
  llvm_unreachable("each framework has its filter");
}

} // namespace

TestFilter filterFor(Framework framework, const NativeTest &test) {
  bool isExact =
      framework != Framework::Catch2 && !test.bringsOthers && !matchOf(framework, test).hasWildcard;
  return {argumentsFor(framework, test), isExact};
}

std::vector<TestFilter> filtersFor(Framework framework, llvm::ArrayRef<NativeTest> tests) {
  std::vector<Match> all;
  llvm::StringMap<unsigned> timesSeen;
  for (const NativeTest &test : tests) {
    all.push_back(matchOf(framework, test));
    ++timesSeen[all.back().subject];
  }
  std::vector<TestFilter> filters;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const Match &match = all[i];
    auto count = match.hasWildcard ? llvm::count_if(all,
                                                    [&](const Match &other) {
                                                      return matches(match.pattern, other.subject);
                                                    })
                                   : timesSeen[match.subject];
    filters.push_back({argumentsFor(framework, tests[i]), count == 1 && !tests[i].bringsOthers});
  }
  return filters;
}

} // namespace retest
