#include "run/name_pattern.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ErrorHandling.h>

namespace retest {

namespace {

std::string googleTestPattern(std::string name) {
  for (char &c : name)
    if (llvm::StringRef(":-*?\n").contains(c))
      c = '?';
  return name;
}

/// What the filter's syntax cannot hold is cut short: the case `a,b` is `a*`, one without a name
/// `*`.
std::string boostTestName(llvm::StringRef name) {
  std::size_t end = name.find_first_of("*,:!+@/");
  bool isWhole = end == llvm::StringRef::npos && !name.empty();
  return name.substr(0, end).str() + (isWhole ? "" : "*");
}

std::string boostTestPattern(const NativeTest &test) {
  if (test.suite.empty())
    return boostTestName(test.name);
  std::string path;
  for (llvm::StringRef suite : llvm::split(test.suite, '/'))
    path += boostTestName(suite) + "/";
  return path + boostTestName(llvm::StringRef(test.name).drop_front(test.suite.size() + 1));
}

/// Catch2 drops these around names, and no others.
llvm::StringRef withoutBlanks(llvm::StringRef name) { return name.trim("\n\r\t "); }

std::string catch2Pattern(llvm::StringRef name) {
  auto [line, rest] = withoutBlanks(name).split('\n');
  return line.str() + (rest.empty() ? "" : "*");
}

bool matchesWildcards(llvm::StringRef pattern, llvm::StringRef subject, llvm::StringRef anyOne) {
  std::size_t p = 0, s = 0;
  std::size_t afterStar = llvm::StringRef::npos, retry = 0;
  while (s < subject.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      afterStar = ++p;
      retry = s;
    } else if (p < pattern.size() && (pattern[p] == subject[s] || anyOne.contains(pattern[p]))) {
      ++p;
      ++s;
    } else if (afterStar != llvm::StringRef::npos) { // the last star takes one more
      p = afterStar;
      s = ++retry;
    } else {
      return false;
    }
  }
  return pattern.drop_front(p).ltrim('*').empty();
}

bool matchesAtEnds(llvm::StringRef pattern, llvm::StringRef subject) {
  bool isAtStart = pattern.consume_front("*"), isAtEnd = pattern.consume_back("*");
  if (isAtStart && isAtEnd)
    return subject.contains(pattern);
  if (isAtStart)
    return subject.ends_with(pattern);
  return isAtEnd ? subject.starts_with(pattern) : subject == pattern;
}

} // namespace

std::string escaped(llvm::StringRef text, llvm::StringRef special) {
  std::string result;
  for (char c : text) {
    if (special.contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

NamePattern namePattern(Framework framework, const NativeTest &test) {
  auto has = [](llvm::StringRef pattern, llvm::StringRef wildcards) {
    return pattern.find_first_of(wildcards) != llvm::StringRef::npos;
  };
  NamePattern match;
  match.subject = test.name;
  switch (framework) {
  case Framework::GoogleTest:
    match.pattern = googleTestPattern(test.name);
    match.hasWildcard = has(match.pattern, "?");
    return match;
  case Framework::Catch2:
    match.subject = withoutBlanks(test.name).lower();
    match.pattern = catch2Pattern(match.subject);
    match.hasWildcard = match.pattern.starts_with('*') || match.pattern.ends_with('*');
    return match;
  case Framework::Doctest:
    match.pattern = match.subject = test.suite + '\n' + test.name;
    match.hasWildcard = has(match.pattern, "*?");
    return match;
  case Framework::BoostTest:
    match.pattern = boostTestPattern(test);
    match.hasWildcard = has(match.pattern, "*");
    return match;
  }
  llvm_unreachable("each framework has its patterns");
}

bool matches(Framework framework, const NamePattern &pattern, llvm::StringRef subject) {
  if (!pattern.hasWildcard)
    return pattern.pattern == subject;
  if (framework == Framework::Catch2)
    return matchesAtEnds(pattern.pattern, subject);
  return matchesWildcards(pattern.pattern, subject, framework == Framework::BoostTest ? "" : "?");
}

std::string catch2Specification(llvm::StringRef name) {
  std::string text = catch2Pattern(name);
  // A quoted `exclude:` would still invert the filter, but only in small letters, and names have no
  // case. Nothing in the quotes would be no filter at all.
  if (llvm::StringRef(text).starts_with("exclude:"))
    text.front() = 'E';
  if (text.empty())
    text = " ";
  return '"' + escaped(text, "\\,[]\"") + '"';
}

std::string doctestArgument(llvm::StringRef option, llvm::StringRef text) {
  return ("--dt-" + option + (text.empty() ? "-exclude=?*" : "=") + text).str();
}

} // namespace retest
