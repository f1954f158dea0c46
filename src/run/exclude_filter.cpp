#include "run/filter_forms.h"
#include "run/filter_starts.h"
#include "run/name_pattern.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/ErrorHandling.h>

#include <map>
#include <optional>

namespace retest {

namespace {

using Indices = std::vector<std::size_t>;

/// The filter in exclude form.
class Exclusion {
public:
  Exclusion(Framework framework, llvm::ArrayRef<NativeTest> tests,
            const std::vector<bool> &isWanted, Unlisted unlisted)
      : framework_(framework), tests_(tests), unlisted_(unlisted) {
    llvm::StringSet<> wanted;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      runs_.push_back(!tests[i].isDisabled);
      isSomeDisabled_ |= tests[i].isDisabled;
      if (runs_[i] && isWanted[i])
        wanted.insert(keyOf(tests[i]));
    }
    bool isNeeded = false;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (!runs_[i])
        continue;
      if (canBeWritten(tests[i]) && !wanted.contains(keyOf(tests[i])) &&
          !isSplitInto(wanted, tests[i]))
        excluded_.push_back(i);
      else
        isNeeded |= tests[i].bringsOthers;
    }
    // Boost.Test does not run a test if one that it depends on does not run. Which ones these are
    // is not in the list.
    if (isNeeded)
      excluded_.clear();
  }

  std::vector<RunnerStart> starts() {
    if (excluded_.empty())
      return {{.mayRunNothing = !llvm::is_contained(runs_, true)}};
    if (framework_ == Framework::Doctest && unlisted_ == Unlisted::Any)
      return startsBySuite();
    return {startWithout(excluded_)};
  }

  /// With the filter of these starts.
  bool runs(std::size_t test) const { return runs_[test]; }

private:
  /// Tests with the same key are excluded together.
  std::string keyOf(const NativeTest &test) const {
    if (framework_ == Framework::Doctest && unlisted_ == Unlisted::Distinct)
      return test.name;
    return namePattern(framework_, test).subject;
  }

  /// Whether the filter can have a pattern that no test outside of the list matches.
  bool canBeWritten(const NativeTest &test) const {
    auto hasNone = [](llvm::StringRef text, const char *special) {
      return text.find_first_of(special) == llvm::StringRef::npos;
    };
    switch (framework_) {
    case Framework::GoogleTest:
      return !namePattern(framework_, test).hasWildcard;
    case Framework::Catch2:
    case Framework::BoostTest:
      return unlisted_ == Unlisted::Distinct && !namePattern(framework_, test).hasWildcard;
    case Framework::Doctest:
      return !test.name.empty() && hasNone(test.name, "*?") &&
             (unlisted_ == Unlisted::Distinct ||
              (hasNone(test.name, ",\\") && hasNone(test.suite, "*?,\\")));
    }
    llvm_unreachable("each framework has its names");
  }

  /// doctest before 2.4.9 does not know all escapes: it may take parts of the text for names.
  bool isSplitInto(const llvm::StringSet<> &names, const NativeTest &test) const {
    if (framework_ != Framework::Doctest)
      return false;
    std::string text = textOf(test);
    return llvm::any_of(llvm::split(text, ','),
                        [&](llvm::StringRef part) { return names.contains(part); });
  }

  std::string textOf(const NativeTest &test) const {
    switch (framework_) {
    case Framework::GoogleTest:
    case Framework::BoostTest:
      return test.name;
    case Framework::Catch2:
      return catch2Specification(test.name);
    case Framework::Doctest:
      return escaped(test.name, "\\,");
    }
    llvm_unreachable("each framework has its names");
  }

  RunnerStart startWithout(const Indices &excluded, std::optional<std::string> suite = {}) {
    FilterTexts names;
    for (std::size_t i : excluded)
      names.push_back(textOf(tests_[i]));
    ExcludingStart result = startExcluding(framework_, names, isSomeDisabled_, suite);
    for (std::size_t i : llvm::ArrayRef(excluded).take_front(result.written))
      runs_[i] = false;
    result.start.mayRunNothing =
        noneRuns([&](const NativeTest &test) { return !suite || test.suite == *suite; });
    return result.start;
  }

  /// doctest excludes by name or by suite, not by both together. So each suite that something is
  /// excluded from has a start of its own, and all that is in none of them has one.
  std::vector<RunnerStart> startsBySuite() {
    std::map<std::string, Indices> suites;
    for (std::size_t i : excluded_)
      suites[tests_[i].suite].push_back(i);
    FilterTexts names;
    for (const auto &[suite, tests] : suites)
      if (!suite.empty())
        names.push_back(suite);
    ExcludingStart rest = startExcludingSuites(names, suites.count("") != 0);
    for (const std::string &suite : llvm::ArrayRef(names).drop_front(rest.written))
      suites.erase(suite); // there is no room: they stay in the rest
    std::vector<RunnerStart> starts;
    for (const auto &[suite, tests] : suites)
      starts.push_back(startWithout(tests, suite));
    rest.start.mayRunNothing =
        noneRuns([&](const NativeTest &test) { return suites.count(test.suite) == 0; });
    starts.push_back(std::move(rest.start));
    return starts;
  }

  template <class Predicate> bool noneRuns(Predicate isMeant) const {
    for (std::size_t i = 0; i < tests_.size(); ++i)
      if (runs_[i] && isMeant(tests_[i]))
        return false;
    return true;
  }

  Framework framework_;
  llvm::ArrayRef<NativeTest> tests_;
  Unlisted unlisted_;
  std::vector<bool> runs_; ///< as far as it is known
  bool isSomeDisabled_ = false;
  Indices excluded_;
};

} // namespace

SuiteFilter excludeFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                          const std::vector<bool> &isWanted, Unlisted unlisted) {
  Exclusion exclusion(framework, tests, isWanted, unlisted);
  SuiteFilter filter;
  filter.starts = exclusion.starts();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (exclusion.runs(i) && !isWanted[i])
      filter.extra.push_back(i);
    if (isWanted[i] && tests[i].isDisabled)
      filter.asleep.push_back(i);
  }
  return filter;
}

} // namespace retest
