#include "run/suite_schedule.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

using namespace retest;

namespace {

/// Entries, with a plain test for each.
struct Plan {
  explicit Plan(std::vector<SuiteEntry> given) : entries(std::move(given)) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      FoundTest test{"", entries[i].name};
      test.entry = i;
      test.entries = {entries[i].name};
      test.isDisabled = entries[i].isDisabled;
      tests.push_back(test);
    }
  }

  /// Runs all; what may run at the same time is told together: "a b, c". `failing` do.
  std::string order(unsigned jobs, const std::vector<std::string> &failing = {},
                    bool areEntriesSerial = false) {
    SuiteSchedule schedule(entries, tests, jobs, areEntriesSerial);
    std::string result;
    while (!schedule.isDone()) {
      std::vector<std::size_t> together;
      while (auto test = schedule.next())
        together.push_back(*test);
      if (together.empty()) {
        for (std::size_t test : schedule.takeStuck())
          result += " stuck:" + tests[test].name;
        return result;
      }
      result += result.empty() ? "" : ",";
      for (std::size_t test : together) {
        bool isHindered = !schedule.hindrance(test).empty();
        const std::string &name = tests[test].name;
        result += (result.empty() ? "" : " ") + std::string(isHindered ? "!" : "") + name;
        schedule.finish(test, isHindered || llvm::is_contained(failing, name));
      }
    }
    return result;
  }

  std::vector<SuiteEntry> entries;
  std::vector<FoundTest> tests;
};

SuiteEntry entry(const char *name) { return SuiteEntry{name}; }

} // namespace

TEST_CASE("schedule: entries that are one test each go in CTest's order") {
  Plan plan({entry("makes"), entry("checks"), entry("after")});
  std::ranges::sort(plan.tests, {}, &FoundTest::name); // as findTests gives them
  CHECK(plan.order(1) == "makes, checks, after");
  CHECK(plan.order(2) == "makes checks, after");
  plan.entries[0].depends = {"after"};
  CHECK(plan.order(1) == "checks, after, makes");
  SuiteSchedule schedule(plan.entries, plan.tests, 1);
  std::size_t checks = *schedule.next();
  schedule.finish(checks, false);
  CHECK(plan.tests[*schedule.next(checks)].name == "after");
}

TEST_CASE("schedule: as many at once as there are jobs") {
  Plan plan({entry("a"), entry("b"), entry("c")});
  CHECK(plan.order(1) == "a, b, c");
  CHECK(plan.order(2) == "a b, c");
  CHECK(plan.order(9) == "a b c");
  plan.entries[1].processors = 3;
  CHECK(plan.order(3) == "a c, b");
  CHECK(plan.order(2) == "a c, b");
  plan.entries[1].processors = 1;
  plan.entries[1].runsAlone = true;
  CHECK(plan.order(9) == "a c, b");
  plan.entries[1].runsAlone = false;
  plan.entries[0].resourceLocks = {"l", "m"};
  plan.entries[1].resourceLocks = {"m"};
  CHECK(plan.order(9) == "a c, b");
}

TEST_CASE("schedule: tests of one entry may have to wait for each other") {
  Plan plan({entry("a"), entry("b")});
  plan.tests.push_back(plan.tests[0]);
  plan.tests.back().program = "p";
  plan.tests.back().name = "a2";
  CHECK(plan.order(9) == "a b a2");
  CHECK(plan.order(9, {}, /*areEntriesSerial=*/true) == "a b, a2");
}

TEST_CASE("schedule: order by names, which may fail") {
  Plan plan({entry("a"), entry("b"), entry("c")});
  plan.entries[0].depends = {"b", "absent", "a"};
  plan.entries[1].depends = {"c"};
  CHECK(plan.order(9) == "c, b, a");
  CHECK(plan.order(9, {"c", "b"}) == "c, b, a");
  plan.entries[2].depends = {"a"};
  CHECK(plan.order(9) == " stuck:a stuck:b stuck:c");
}

TEST_CASE("schedule: fixtures") {
  Plan plan({entry("clean"), entry("set"), entry("use"), entry("other")});
  plan.entries[0].fixturesCleanup = {"f"};
  plan.entries[1].fixturesSetup = {"f"};
  plan.entries[2].fixturesRequired = {"f", "unknown"};
  CHECK(plan.order(9) == "set other, use, clean");
  CHECK(plan.order(9, {"set"}) == "set other, !use, clean");
  CHECK(plan.order(9, {"use"}) == "set other, use, clean");
  // A set-up may need another one.
  plan.entries[3].fixturesSetup = {"g"};
  plan.entries[1].fixturesRequired = {"g"};
  CHECK(plan.order(9) == "other, set, use, clean");
  CHECK(plan.order(9, {"other"}) == "other, !set, !use, clean");
  // Who is disabled takes no part.
  plan.tests[3].isDisabled = true;
  CHECK(plan.order(9, {"other"}) == "set other, use, clean");
}

TEST_CASE("schedule: a test runs again, unless what it needs is cleaned up") {
  Plan plan({entry("use"), entry("use too"), entry("clean")});
  plan.entries[0].fixturesRequired = plan.entries[1].fixturesRequired = {"f"};
  plan.entries[2].fixturesCleanup = {"f"};
  SuiteSchedule schedule(plan.entries, plan.tests, 1);
  CHECK(schedule.next() == 0);
  schedule.finish(0, false);
  CHECK(schedule.reopen(0));
  CHECK(schedule.next() == 0);
  schedule.finish(0, false);
  CHECK(schedule.next() == 1);
  CHECK(schedule.next() == std::nullopt);
  schedule.finish(1, false);
  CHECK(!schedule.reopen(0));
  CHECK(schedule.next() == 2);
}

TEST_CASE("schedule: who goes first, who keeps to a program") {
  Plan plan({entry("a"), entry("b"), entry("c"), entry("d")});
  plan.tests[0].program = plan.tests[1].program = "p";
  plan.tests[2].program = plan.tests[3].program = "q";
  SuiteSchedule schedule(plan.entries, plan.tests, 9);
  schedule.goFirst(1);
  schedule.goFirst(3);
  CHECK(schedule.next() == 1);
  CHECK(schedule.next() == 3);  // somebody is busy with p
  CHECK(schedule.next(3) == 2); // and stays with q
  CHECK(schedule.next(2) == 0);
}

TEST_CASE("schedule: by rank, as far as others do not have to go before") {
  Plan plan({entry("a"), entry("b"), entry("c"), entry("d")});
  plan.entries[3].depends = {"a"};
  SuiteSchedule schedule(plan.entries, plan.tests, 1, false, {3, 1, 2, 0});
  std::string order;
  while (auto test = schedule.next()) {
    order += plan.tests[*test].name;
    schedule.finish(*test, false);
  }
  CHECK(order == "bcad");
}

TEST_CASE("schedule: when it is given up, only what was set up is cleaned up") {
  Plan plan({entry("up"), entry("use"), entry("down"), entry("up2"), entry("use2"), entry("down2"),
             entry("more")});
  for (std::size_t i : {0u, 3u}) {
    std::string fixture = i == 0 ? "f" : "g";
    plan.entries[i].fixturesSetup = {fixture};
    plan.entries[i + 1].fixturesRequired = {fixture};
    plan.entries[i + 2].fixturesCleanup = {fixture};
  }
  SuiteSchedule schedule(plan.entries, plan.tests, 1);
  REQUIRE(schedule.next() == 0);
  schedule.giveUp();
  CHECK_FALSE(schedule.next()); // the set-up has not ended yet
  CHECK_FALSE(schedule.isDone());
  schedule.finish(0, false);
  REQUIRE(schedule.next() == 2);
  schedule.finish(2, false);
  CHECK(schedule.isDone());
}
