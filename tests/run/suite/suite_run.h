#pragma once

#include "run/run_suite.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace retest {

/// A suite that ran, as its callbacks told it.
struct SuiteRan {
  std::vector<FoundTest> tests;
  std::map<std::string, TestOutcome> outcomes;     ///< by id; the last ones
  std::map<std::string, std::size_t> counterFiles; ///< by id
  std::map<std::string, unsigned> servers;         ///< by program
  SuiteProgress progress;                          ///< the last
  SuiteResult result;
  std::vector<std::string> left; ///< in the directory, afterwards
};

/// Its name; with its program, unless that is the one that most tests of ours use.
inline std::string idOf(const FoundTest &test) {
  if (test.program.empty() || test.program == SUITE_PROGRAM)
    return test.name;
  return std::filesystem::path(test.program).filename().string() + "::" + test.name;
}

inline std::size_t filesIn(const std::string &directory) {
  if (directory.empty())
    return 0;
  std::filesystem::directory_iterator files(directory);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// Options for tests of ours: outcomes decide about forking, times do not.
inline SuiteOptions steadyOptions(unsigned jobs = 2) {
  SuiteOptions options;
  options.jobs = jobs;
  options.mostForkCost = 1e9;
  options.leastSampleTime = std::chrono::hours(1);
  return options;
}

inline SuiteRan runEntries(const std::vector<SuiteEntry> &entries,
                           SuiteOptions options = steadyOptions(),
                           const std::function<void(const SuiteProgress &)> &onProgress = {}) {
  SuiteRan ran;
  TemporaryDirectory directory;
  options.directory = directory.path();
  ran.tests = findTests(entries);
  SuiteCallbacks callbacks;
  callbacks.onFinished = [&](std::size_t test, const TestOutcome &outcome,
                             const std::string &counters) {
    ran.outcomes[idOf(ran.tests[test])] = outcome;
    ran.counterFiles[idOf(ran.tests[test])] = filesIn(counters);
  };
  callbacks.onBeforeMain = [&](const std::string &program, pid_t, const std::string &counters) {
    CHECK(filesIn(counters) > 0);
    ++ran.servers[program];
  };
  callbacks.onProgress = [&](const SuiteProgress &progress) {
    ran.progress = progress;
    if (onProgress)
      onProgress(progress);
  };
  auto result = runSuite(entries, ran.tests, options, callbacks);
  if (!result)
    FAIL(llvm::toString(result.takeError()));
  ran.result = *result;
  for (const auto &file : std::filesystem::directory_iterator(directory.path()))
    ran.left.push_back(file.path());
  return ran;
}

/// An entry that runs some tests of a program.
inline SuiteEntry entryOf(const std::string &name, std::vector<std::string> command) {
  SuiteEntry entry{name};
  entry.command = std::move(command);
  return entry;
}

} // namespace retest
