#include "run/find_tests.h"

#include "run/entry_filter.h"
#include "run/entry_reports.h"
#include "run/list_tests.h"
#include "run/report_users.h"
#include "run/single_test_filter.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace retest {

namespace {

/// What an entry runs.
struct Choice {
  std::vector<NativeTest> tests = {};
  std::vector<TestFilter> filters = {}; ///< one for each
  std::vector<bool> areWoken = {};      ///< of each: it runs even if it is disabled
  std::vector<std::string> others = {}; ///< the entry's arguments without its filter
  std::string problem = {};             ///< why it is a plain test
};

class Finder {
public:
  Finder(const std::vector<SuiteEntry> &entries, llvm::ArrayRef<NamedDirectory> directories,
         const FilesInUse &files)
      : entries_(entries), settings_(entries, directories), users_(entries, files) {}

  std::vector<FoundTest> find() {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      addReports(i);
    users_.finish();
    for (std::size_t i = 0; i < entries_.size(); ++i)
      add(i);
    for (FoundTest &test : tests_) {
      llvm::sort(test.entries);
      llvm::sort(test.reports);
      test.settings = *settings_.of(test.entries);
    }
    nameTests();
    return std::move(tests_);
  }

private:
  /// A program as it is asked for its tests.
  using Listing = std::tuple<std::string, std::vector<std::string>, std::vector<std::string>,
                             std::vector<std::string>, std::string>;
  using Listed = std::pair<std::vector<NativeTest>, std::string>; ///< or the problem

  void addReports(std::size_t index) {
    const SuiteEntry &entry = entries_[index];
    std::optional<Framework> framework = frameworkOf(entry);
    if (!framework) {
      users_.add(index, {}, entry.command);
      return;
    }
    EntryReports reports = reportsOf(*framework, llvm::ArrayRef(entry.command).drop_front());
    std::vector<std::string> files;
    for (llvm::StringRef file : reports.files)
      if (file != "-" && !file.starts_with("%") &&
          !file.starts_with("/dev/")) // of Catch2: `%stdout`
        files.push_back(reportPath(entry.directory, file));
    users_.add(index, std::move(files), reports.asking);
  }

  void add(std::size_t index) {
    const SuiteEntry &entry = entries_[index];
    std::optional<Framework> framework = frameworkOf(entry);
    if (!framework) {
      addPlain(index, "");
      return;
    }
    Choice choice = choiceOf(entry, *framework);
    if (choice.problem.empty())
      choice.problem = whyWhole(index, *framework);
    if (!choice.problem.empty())
      addPlain(index, choice.problem);
    else
      addSplit(index, *framework, choice);
  }

  std::string whyWhole(std::size_t index, Framework framework) const {
    for (const std::string &report : users_.reportsOf(index))
      if (framework == Framework::Catch2 && // which fails then
          !llvm::sys::fs::is_directory(llvm::sys::path::parent_path(report)))
        return fmt::format("its report {} cannot be written", report);
    return users_.whyWhole(index);
  }

  void addPlain(std::size_t index, std::string note) {
    const SuiteEntry &entry = entries_[index];
    FoundTest test{"", entry.name};
    test.arguments = entry.command;
    test.isDisabled = entry.isDisabled;
    test.entry = index;
    test.entries = {entry.name};
    test.reports = users_.reportsOf(index);
    test.note = std::move(note);
    tests_.push_back(std::move(test));
  }

  void addSplit(std::size_t index, Framework framework, const Choice &choice) {
    const SuiteEntry &entry = entries_[index];
    for (std::size_t i = 0; i < choice.tests.size(); ++i) {
      FoundTest test{entry.command.front(), choice.tests[i].name};
      test.framework = framework;
      test.native = choice.tests[i];
      test.arguments = commandLine(entry.command.front(), choice.others, choice.filters[i]);
      test.isFilterExact = choice.filters[i].isExact;
      test.isDisabled = entry.isDisabled || (test.native.isDisabled && !choice.areWoken[i]);
      test.entry = index;
      test.entries = {entry.name};
      test.reports = users_.reportsOf(index);
      SuiteEntry alone = entry;
      alone.command = test.arguments;
      alone.isDisabled = test.isDisabled;
      // Tests of one name and suite cannot be told apart by a filter: they are one.
      auto [known, isNew] = numbers_.try_emplace(
          {test.program, test.native.suite, test.name, settingsOf(alone)}, tests_.size());
      if (isNew) {
        tests_.push_back(std::move(test));
        continue;
      }
      FoundTest &same = tests_[known->second];
      if (!llvm::is_contained(same.entries, entry.name))
        same.entries.push_back(entry.name);
      for (std::string &report : test.reports)
        if (!llvm::is_contained(same.reports, report))
          same.reports.push_back(std::move(report));
    }
  }

  /// The filter goes last: a program may count on the place of its own arguments.
  static std::vector<std::string> commandLine(const std::string &program,
                                              const std::vector<std::string> &others,
                                              const TestFilter &filter) {
    std::vector<std::string> line = {program};
    llvm::append_range(line, others);
    auto end = llvm::find(line, "--"); // of Boost.Test: what follows is not the framework's
    line.insert(end, filter.arguments.begin(), filter.arguments.end());
    return line;
  }

  Choice choiceOf(const SuiteEntry &entry, Framework framework) {
    Choice choice;
    EntryFilter filter = entryFilterOf(framework, llvm::ArrayRef(entry.command).drop_front());
    const EntryReports reports = reportsOf(framework, filter.others);
    choice.others = reports.alone;
    choice.problem = filter.problem.empty() ? reports.problem : filter.problem;
    for (const auto *variables : {&entry.environment, &entry.environmentModifications})
      for (llvm::StringRef variable : *variables)
        if (llvm::is_contained(selectionVariables(), variable.split('=').first))
          choice.problem = fmt::format("its environment sets {}, which may choose tests",
                                       variable.split('=').first.str());
    if (choice.problem.empty() && hasOtherOutput(framework, reports, filter.others) &&
        speaksOfOutput(entry))
      choice.problem = "its report goes to a file, and its properties speak of its output";
    if (choice.problem.empty())
      chooseTests(entry, framework, filter, reports.asking, choice);
    return choice;
  }

  /// Whether one test alone writes something else to its output than CTest would see.
  static bool hasOtherOutput(Framework framework, const EntryReports &reports,
                             const std::vector<std::string> &arguments) {
    return framework != Framework::GoogleTest && reports.alone != arguments;
  }

  static bool speaksOfOutput(const SuiteEntry &entry) {
    return !entry.passExpressions.empty() || !entry.failExpressions.empty() ||
           !entry.skipExpressions.empty() || entry.timeoutAfterMatch;
  }

  void chooseTests(const SuiteEntry &entry, Framework framework, const EntryFilter &filter,
                   llvm::ArrayRef<std::string> asking, Choice &choice) {
    const auto &[all, problem] = listed(entry, framework, asking);
    choice.problem = problem;
    if (!problem.empty())
      return;
    // A name is looked up; what a pattern stands for, the program itself says.
    std::vector<NativeTest> chosen = all;
    if (filter.hasFilter && filter.name) {
      llvm::erase_if(chosen,
                     [&](const NativeTest &test) { return !isNamed(framework, filter, test); });
    } else if (filter.hasFilter) {
      const auto &[some, why] =
          listed(entry, framework,
                 reportsOf(framework, llvm::ArrayRef(entry.command).drop_front()).asking);
      chosen = some;
      choice.problem = why;
    }
    if (chosen.empty())
      choice.problem = "its filter matches no test";
    else if (chosen.size() > 1 && speaksOfAll(entry, framework))
      choice.problem = "it runs several tests, and its properties speak of all of them";
    std::vector<TestFilter> filters = filtersFor(framework, all);
    for (NativeTest &test : chosen) {
      // The list with a filter has the same tests, but for what the filter wakes.
      auto same = llvm::find_if(all, [&](const NativeTest &each) {
        return std::tie(each.name, each.suite, each.file, each.line) ==
               std::tie(test.name, test.suite, test.file, test.line);
      });
      if (same == all.end()) {
        choice.problem = "its list with a filter has tests that its list without has not";
        return;
      }
      choice.filters.push_back(filters[static_cast<std::size_t>(same - all.begin())]);
      // To be named wakes a test of Catch2 and Boost.Test; what it says of itself with a filter is
      // not what it says without.
      choice.areWoken.push_back(
          filter.runsDisabled || !test.isDisabled ||
          (filter.name && (framework == Framework::Catch2 || framework == Framework::BoostTest)));
      test.isDisabled = same->isDisabled;
      choice.tests.push_back(std::move(test));
    }
  }

  static bool speaksOfAll(const SuiteEntry &entry, Framework framework) {
    return entry.willFail || speaksOfOutput(entry) ||
           (entry.skipReturnCode && mayExitWith(framework, *entry.skipReturnCode));
  }

  /// Whether the framework itself ends so; else the program does, whatever test it is to run.
  static bool mayExitWith(Framework framework, int code) {
    switch (framework) {
    case Framework::GoogleTest:
    case Framework::Doctest:
      return code == 0 || code == 1;
    case Framework::BoostTest:
      return code == 0 || code >= 200;
    case Framework::Catch2:
      return true; // the number of failures
    }
    return true;
  }

  const Listed &listed(const SuiteEntry &entry, Framework framework,
                       llvm::ArrayRef<std::string> arguments) {
    const std::string &program = entry.command.front();
    auto [known, isNew] = lists_.try_emplace({program, arguments.vec(), entry.environment,
                                              entry.environmentModifications, entry.directory});
    auto &[tests, problem] = known->second;
    if (!isNew)
      return known->second;
    auto environment = environmentOf(entry);
    if (!environment) {
      problem = llvm::toString(environment.takeError());
      return known->second;
    }
    ProcessCommand command{.arguments = {program},
                           .directory = entry.directory,
                           .environment = environment->set,
                           .removed = environment->removed};
    // Behind `--` the question would not be the framework's.
    auto own = arguments.take_until([](const std::string &each) { return each == "--"; });
    llvm::append_range(command.arguments, own);
    llvm::append_range(command.removed, selectionVariables());
    if (auto list = listTests(framework, command))
      tests = std::move(*list);
    else
      problem = llvm::toString(list.takeError());
    return known->second;
  }

  std::optional<Framework> frameworkOf(const SuiteEntry &entry) {
    if (entry.command.empty())
      return std::nullopt;
    const std::string &program = entry.command.front();
    auto [known, isNew] = frameworks_.try_emplace(program);
    if (isNew)
      known->second = detectFramework(program);
    return known->second;
  }

  void nameTests() {
    using Key = std::pair<std::string, std::string>;
    std::map<Key, std::set<std::string>> suites;
    std::map<std::tuple<std::string, std::string, std::string>, unsigned> settings;
    for (const FoundTest &test : tests_) {
      suites[{test.program, test.name}].insert(test.native.suite);
      ++settings[{test.program, test.native.suite, test.name}];
    }
    for (FoundTest &test : tests_) {
      if (test.program.empty())
        continue;
      std::string bare = test.name;
      if (suites[{test.program, bare}].size() > 1)
        test.name += " (" + test.native.suite + ")";
      if (settings[{test.program, test.native.suite, bare}] > 1)
        test.name += " [" + test.entries.front() + "]";
    }
    llvm::sort(tests_, [](const FoundTest &a, const FoundTest &b) {
      return std::tie(a.program, a.name, a.entries, a.settings, a.entry) <
             std::tie(b.program, b.name, b.entries, b.settings, b.entry);
    });
    std::set<Key> seen;
    for (FoundTest &test : tests_) {
      std::string name = test.name;
      for (unsigned count = 2; !seen.insert({test.program, test.name}).second; ++count)
        test.name = fmt::format("{} #{}", name, count);
    }
    llvm::sort(tests_, [](const FoundTest &a, const FoundTest &b) {
      return std::tie(a.program, a.name) < std::tie(b.program, b.name);
    });
  }

  const std::vector<SuiteEntry> &entries_;
  SuiteSettings settings_;
  ReportUsers users_;
  std::vector<FoundTest> tests_;
  std::map<std::tuple<std::string, std::string, std::string, Fingerprint>, std::size_t> numbers_;
  std::map<Listing, Listed> lists_;
  std::map<std::string, std::optional<Framework>> frameworks_;
};

} // namespace

std::vector<FoundTest> findTests(const std::vector<SuiteEntry> &entries,
                                 llvm::ArrayRef<NamedDirectory> directories,
                                 const FilesInUse &files) {
  return Finder(entries, directories, files).find();
}

const std::vector<std::string> &selectionVariables() {
  static const std::vector<std::string> names = {"GTEST_FILTER",
                                                 "GTEST_TOTAL_SHARDS",
                                                 "GTEST_SHARD_INDEX",
                                                 "GTEST_SHARD_STATUS_FILE",
                                                 "GTEST_REPEAT",
                                                 "GTEST_ALSO_RUN_DISABLED_TESTS",
                                                 "GTEST_FAIL_FAST",
                                                 "GTEST_SHUFFLE",
                                                 "GTEST_OUTPUT",
                                                 "GTEST_BRIEF",
                                                 "XML_OUTPUT_FILE",
                                                 "TEST_TOTAL_SHARDS",
                                                 "TEST_SHARD_INDEX",
                                                 "TEST_SHARD_STATUS_FILE",
                                                 "TESTBRIDGE_TEST_ONLY",
                                                 "TESTBRIDGE_TEST_RUNNER_FAIL_FAST",
                                                 "BAZEL_TEST",
                                                 "BOOST_TEST_RUN_FILTERS",
                                                 "BOOST_TEST_RANDOM",
                                                 "BOOST_TEST_LIST_CONTENT",
                                                 "BOOST_TEST_LOG_LEVEL",
                                                 "BOOST_TEST_REPORT_LEVEL",
                                                 "BOOST_TEST_LOGGER",
                                                 "BOOST_TEST_LOG_SINK",
                                                 "BOOST_TEST_REPORT_SINK",
                                                 "BOOST_TEST_LOG_FORMAT"};
  return names;
}

} // namespace retest
