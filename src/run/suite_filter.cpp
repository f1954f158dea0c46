#include "run/suite_filter.h"

#include "run/filter_forms.h"

#include <cassert>

namespace retest {

std::vector<std::string> argumentsOf(const RunnerStart &start, const std::string &path) {
  std::vector<std::string> arguments = start.arguments;
  if (!start.file.empty())
    arguments.push_back(start.fileOption + path);
  return arguments;
}

SuiteFilter suiteFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                        const std::vector<bool> &isWanted, FilterForm form, Unlisted unlisted) {
  assert(tests.size() == isWanted.size() && "each test is wanted or not");
  SuiteFilter filter = form == FilterForm::Include
                           ? includeFilter(framework, tests, isWanted)
                           : excludeFilter(framework, tests, isWanted, unlisted);
  filter.isExact &= filter.extra.empty();
  return filter;
}

} // namespace retest
