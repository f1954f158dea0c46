#include "run/single_test_filter.h"

#include "run/name_pattern.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/ErrorHandling.h>

namespace retest {

namespace {

std::vector<std::string> doctestArguments(const NativeTest &test) {
  std::vector<std::string> arguments = {doctestArgument("test-case", escaped(test.name, "\\,")),
                                        doctestArgument("test-suite", escaped(test.suite, "\\,")),
                                        "--dt-case-sensitive=true"};
  if (test.isDisabled)
    arguments.push_back("--dt-no-skip=true");
  return arguments;
}

std::vector<std::string> argumentsFor(Framework framework, const NativeTest &test) {
  std::vector<std::string> arguments;
  switch (framework) {
  case Framework::GoogleTest:
    arguments.push_back("--gtest_filter=" + namePattern(framework, test).pattern);
    if (test.isDisabled)
      arguments.push_back("--gtest_also_run_disabled_tests");
    return arguments;
  case Framework::Catch2:
    return {catch2Specification(test.name)};
  case Framework::Doctest:
    return doctestArguments(test);
  case Framework::BoostTest:
    return {"--run_test=" + namePattern(framework, test).pattern};
  }
  llvm_unreachable("each framework has its filter");
}

} // namespace

TestFilter filterFor(Framework framework, const NativeTest &test) {
  bool isExact = framework != Framework::Catch2 && !test.bringsOthers &&
                 !namePattern(framework, test).hasWildcard;
  return {argumentsFor(framework, test), isExact};
}

std::vector<TestFilter> filtersFor(Framework framework, llvm::ArrayRef<NativeTest> tests) {
  std::vector<NamePattern> all;
  llvm::StringMap<unsigned> timesSeen;
  for (const NativeTest &test : tests) {
    all.push_back(namePattern(framework, test));
    ++timesSeen[all.back().subject];
  }
  std::vector<TestFilter> filters;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const NamePattern &match = all[i];
    auto count = match.hasWildcard
                     ? llvm::count_if(all,
                                      [&](const NamePattern &other) {
                                        return matches(framework, match, other.subject);
                                      })
                     : timesSeen[match.subject];
    filters.push_back({argumentsFor(framework, tests[i]), count == 1 && !tests[i].bringsOthers});
  }
  return filters;
}

} // namespace retest
