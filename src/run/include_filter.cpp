#include "run/filter_forms.h"
#include "run/filter_starts.h"
#include "run/name_pattern.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <map>

namespace retest {

namespace {

/// A name or suite of doctest for the include form. Versions before 2.4.9 do not know all escapes,
/// but they know `?`.
std::string doctestText(std::string name) {
  std::replace(name.begin(), name.end(), ',', '?');
  std::replace(name.begin(), name.end(), '\\', '?');
  return name;
}

/// Patterns that are in one filter.
class PatternSet {
public:
  explicit PatternSet(Framework framework) : framework_(framework) {}

  void add(NamePattern pattern) {
    if (pattern.hasWildcard)
      wild_.push_back(std::move(pattern));
    else
      exact_.insert(pattern.pattern);
  }

  bool match(llvm::StringRef subject) const {
    return exact_.contains(subject) || llvm::any_of(wild_, [&](const NamePattern &pattern) {
             return matches(framework_, pattern, subject);
           });
  }

private:
  Framework framework_;
  llvm::StringSet<> exact_;
  std::vector<NamePattern> wild_;
};

/// The filter in include form, for the tests that are disabled or for the others.
class Inclusion {
public:
  Inclusion(Framework framework, llvm::ArrayRef<NativeTest> tests,
            const std::vector<bool> &isWanted, bool areDisabled)
      : framework_(framework), tests_(tests), areDisabled_(areDisabled) {
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (isWanted[i]) {
        if (tests[i].isDisabled == areDisabled)
          chosen_.push_back(i);
      } else if (areDisabled || !tests[i].isDisabled || framework == Framework::BoostTest) {
        others_.push_back(i);
      } else {
        asleep_.push_back(namePattern(framework, tests[i]));
      }
    }
  }

  void addTo(SuiteFilter &filter) {
    if (chosen_.empty())
      return;
    if (!areDisabled_ &&
        llvm::none_of(others_, [&](std::size_t i) { return !tests_[i].isDisabled; }))
      filter.starts.emplace_back(); // everything that runs without a filter is wanted
    else if (framework_ == Framework::Doctest)
      addDoctest(filter);
    else
      addNames(filter);
  }

private:
  void addNames(SuiteFilter &filter) {
    FilterTexts names;
    PatternSet patterns(framework_);
    for (std::size_t i : chosen_) {
      NamePattern pattern = namePattern(framework_, tests_[i]);
      names.push_back(framework_ == Framework::Catch2
                          ? catch2Specification(tests_[i].name) + hiddenTag(pattern)
                          : pattern.pattern);
      patterns.add(std::move(pattern));
      filter.isExact &= !tests_[i].bringsOthers;
    }
    llvm::append_range(filter.starts, startsIncluding(framework_, names, areDisabled_));
    addExtra(filter, patterns);
  }

  /// What Catch2 hides has the tag `[.]`. Usually: the program's `main` may hide more, or less, so
  /// the tag stands only where the name alone would wake another test.
  const char *hiddenTag(const NamePattern &pattern) const {
    bool wakes = llvm::any_of(asleep_, [&](const NamePattern &each) {
      return matches(framework_, pattern, each.subject);
    });
    return wakes ? "~[.]" : "";
  }

  void addExtra(SuiteFilter &filter, const PatternSet &patterns) {
    for (std::size_t i : others_)
      if (patterns.match(namePattern(framework_, tests_[i]).subject))
        filter.extra.push_back(i);
  }

  /// Names go into one filter, whatever their suites, as long as they match nothing else. The rest
  /// takes a start for each suite: a filter runs all that has one of its names in one of its
  /// suites.
  void addDoctest(SuiteFilter &filter) {
    llvm::StringSet<> others; // subjects, whatever their suites
    for (std::size_t i : others_)
      others.insert(namePattern(framework_, {tests_[i].name}).subject);
    FilterTexts names;
    std::map<std::string, FilterTexts> ambiguous; // by suite
    PatternSet patterns(framework_);
    for (std::size_t i : chosen_) {
      NativeTest written{doctestText(tests_[i].name), doctestText(tests_[i].suite)};
      if (!written.name.empty() && !matchesAny(namePattern(framework_, {written.name}), others)) {
        names.push_back(written.name);
        continue;
      }
      patterns.add(namePattern(framework_, written));
      ambiguous[written.suite].push_back(written.name);
    }
    llvm::append_range(filter.starts, startsIncluding(framework_, names, areDisabled_));
    for (const auto &[suite, itsNames] : ambiguous)
      llvm::append_range(filter.starts, startsIncluding(framework_, itsNames, areDisabled_, suite));
    addExtra(filter, patterns);
  }

  bool matchesAny(const NamePattern &pattern, const llvm::StringSet<> &subjects) const {
    if (!pattern.hasWildcard)
      return subjects.contains(pattern.pattern);
    return llvm::any_of(subjects, [&](const auto &subject) {
      return matches(framework_, pattern, subject.getKey());
    });
  }

  Framework framework_;
  llvm::ArrayRef<NativeTest> tests_;
  bool areDisabled_;
  std::vector<std::size_t> chosen_;
  std::vector<std::size_t> others_; ///< not wanted; they run if their names match
  std::vector<NamePattern> asleep_; ///< not wanted, and they do not run
};

} // namespace

SuiteFilter includeFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                          const std::vector<bool> &isWanted) {
  SuiteFilter filter;
  for (bool areDisabled : {false, true})
    Inclusion(framework, tests, isWanted, areDisabled).addTo(filter);
  llvm::sort(filter.extra);
  filter.extra.erase(std::unique(filter.extra.begin(), filter.extra.end()), filter.extra.end());
  return filter;
}

} // namespace retest
