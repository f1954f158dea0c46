#pragma once

#include "run/ctest_suite.h"
#include "run/find_tests.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace retest {

/// Which test may run next, by what CTest promises: PROCESSORS, RUN_SERIAL, RESOURCE_LOCK, DEPENDS
/// and fixtures.
///
///     setUp (FIXTURES_SETUP f) -> uses (FIXTURES_REQUIRED f) -> cleanUp (FIXTURES_CLEANUP f)
///
/// With `areEntriesSerial`, tests of one entry never run at the same time, as in CTest, where they
/// share a process. If a test of `setUp` fails, `uses` does not run, and `cleanUp` does. DEPENDS is
/// an order only. Not for several threads at once. REQUIRES: tests as findTests gives them; they
/// are not changed.
class SuiteSchedule {
public:
  SuiteSchedule(const std::vector<SuiteEntry> &entries, const std::vector<FoundTest> &tests,
                unsigned jobs, bool areEntriesSerial = false, std::vector<std::size_t> ranks = {});

  /// A test that may run now; it counts as running. First come those of the program of the
  /// caller's previous test, then those of a program that few are busy with; of entries that are
  /// one test each, those that CTest would run first. With ranks, the one with the lowest that can
  /// run.
  std::optional<std::size_t> next(std::optional<std::size_t> previous = {});
  /// Of a test that is running.
  void finish(std::size_t test, bool hasFailed);
  /// A finished test is to run again. False: what it needs is cleaned up already.
  bool reopen(std::size_t test);

  /// Why a test cannot run although it is its turn; empty: it can.
  std::string hindrance(std::size_t test) const;

  /// Of a test that has not run yet: it goes before the others of its program.
  void goFirst(std::size_t test) { first_.insert(test); }
  /// No test is to begin any more, but for the clean-up of fixtures that were set up.
  void giveUp();
  bool isDone() const { return pending_.empty() && running_.empty(); }
  /// Nothing runs and nothing can: tests wait for each other. They are given up, and no longer
  /// pending.
  std::vector<std::size_t> takeStuck();
  const std::set<std::size_t> &running() const { return running_; }

private:
  /// All tests of one entry, or of one fixture's set-up, or use.
  struct Group {
    std::size_t unfinished = 0;
    bool hasBegun = false, hasFailed = false;
    std::vector<std::size_t> waiting = {}; ///< tests
  };
  const SuiteEntry &entryOf(std::size_t test) const { return entries_[tests_[test].entry]; }
  std::vector<std::string> groupsOf(std::size_t test) const;
  std::vector<std::string> awaitedBy(std::size_t test) const;
  unsigned weightOf(std::size_t test) const;
  std::vector<std::string> locksOf(std::size_t test) const;
  bool canRun(std::size_t test) const;
  std::optional<std::size_t> firstOf(const std::string &program) const;
  std::optional<std::size_t> firstPlain() const;
  std::optional<std::size_t> leastBusy(const std::string &program) const;
  std::optional<std::size_t> lowestRank() const;
  void begin(std::size_t test);
  void leaveGroups(std::size_t test, bool hasFailed);

  const std::vector<SuiteEntry> &entries_;
  const std::vector<FoundTest> &tests_;
  const unsigned jobs_;
  const bool areEntriesSerial_;
  const std::vector<std::size_t> ranks_; ///< of the tests; or none
  std::map<std::string, Group> groups_;
  std::vector<std::size_t> blockers_; ///< for each test: groups that it waits for
  std::set<std::size_t> pending_, running_;
  std::set<std::size_t> first_; ///< of the pending ones
  std::set<std::string> locks_;
  std::map<std::string, unsigned> busy_; ///< programs, and how many of their tests run
  unsigned load_ = 0;
};

} // namespace retest
