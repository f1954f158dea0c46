#include "run/suite_schedule.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace retest {

namespace {

// Groups are told apart by their first letter.
std::string entryGroup(const std::string &name) { return "e" + name; }
std::string setupGroup(const std::string &fixture) { return "s" + fixture; }
std::string useGroup(const std::string &fixture) { return "u" + fixture; }
std::string cleanupGroup(const std::string &fixture) { return "c" + fixture; }

} // namespace

SuiteSchedule::SuiteSchedule(const std::vector<SuiteEntry> &entries,
                             const std::vector<FoundTest> &tests, unsigned jobs,
                             bool areEntriesSerial, std::vector<std::size_t> ranks)
    : entries_(entries), tests_(tests), jobs_(std::max(1u, jobs)),
      areEntriesSerial_(areEntriesSerial), ranks_(std::move(ranks)), blockers_(tests.size()) {
  assert((ranks_.empty() || ranks_.size() == tests.size()) && "each test has a rank, or none");
  for (std::size_t i = 0; i < tests.size(); ++i) {
    pending_.insert(i);
    for (const std::string &group : groupsOf(i))
      ++groups_[group].unfinished;
  }
  for (std::size_t i = 0; i < tests.size(); ++i) {
    std::vector<std::string> own = groupsOf(i);
    for (const std::string &name : awaitedBy(i)) {
      auto group = groups_.find(name);
      if (group == groups_.end() || llvm::is_contained(own, name))
        continue; // nobody is in it, or it is itself
      group->second.waiting.push_back(i);
      ++blockers_[i];
    }
  }
}

/// What waits for this test.
std::vector<std::string> SuiteSchedule::groupsOf(std::size_t test) const {
  std::vector<std::string> groups;
  for (const std::string &entry : tests_[test].entries)
    groups.push_back(entryGroup(entry));
  if (tests_[test].isDisabled) // takes no part in fixtures
    return groups;
  for (const std::string &fixture : entryOf(test).fixturesSetup)
    groups.push_back(setupGroup(fixture));
  for (const std::string &fixture : entryOf(test).fixturesRequired)
    groups.push_back(useGroup(fixture));
  for (const std::string &fixture : entryOf(test).fixturesCleanup)
    groups.push_back(cleanupGroup(fixture));
  return groups;
}

/// What this test waits for.
std::vector<std::string> SuiteSchedule::awaitedBy(std::size_t test) const {
  std::set<std::string> groups;
  const SuiteEntry &entry = entryOf(test);
  for (const std::string &name : entry.depends)
    groups.insert(entryGroup(name));
  for (const std::string &fixture : entry.fixturesRequired)
    groups.insert(setupGroup(fixture));
  for (const std::string &fixture : entry.fixturesCleanup) {
    groups.insert(setupGroup(fixture));
    groups.insert(useGroup(fixture));
  }
  return {groups.begin(), groups.end()};
}

unsigned SuiteSchedule::weightOf(std::size_t test) const {
  const SuiteEntry &entry = entryOf(test);
  return entry.runsAlone ? jobs_ : std::clamp(entry.processors, 1u, jobs_);
}

std::vector<std::string> SuiteSchedule::locksOf(std::size_t test) const {
  std::vector<std::string> locks = entryOf(test).resourceLocks;
  if (areEntriesSerial_)
    for (const std::string &entry : tests_[test].entries)
      locks.push_back(std::string(1, '\0') + entry); // no lock of a project has such a name
  return locks;
}

bool SuiteSchedule::canRun(std::size_t test) const {
  return blockers_[test] == 0 && load_ + weightOf(test) <= jobs_ &&
         llvm::none_of(locksOf(test),
                       [&](const std::string &lock) { return locks_.count(lock) != 0; });
}

/// Of a program's tests that go first, one that can run.
std::optional<std::size_t> SuiteSchedule::firstOf(const std::string &program) const {
  for (std::size_t test : first_)
    if (tests_[test].program == program && canRun(test))
      return test;
  return std::nullopt;
}

/// Of entries that are one test each, the first one of CTest's order that can run: one may read
/// what another has left, though nobody says so.
std::optional<std::size_t> SuiteSchedule::firstPlain() const {
  std::optional<std::size_t> best;
  for (std::size_t test : pending_) {
    if (!tests_[test].program.empty())
      break; // tests are sorted by program
    if ((!best || tests_[test].entry < tests_[*best].entry) && canRun(test))
      best = test;
  }
  return best;
}

/// A test that can run: of this program, or of one that few are busy with.
std::optional<std::size_t> SuiteSchedule::leastBusy(const std::string &program) const {
  std::optional<std::size_t> best;
  auto rank = [&](std::size_t test) {
    auto busy = busy_.find(tests_[test].program);
    return std::pair(tests_[test].program != program, busy == busy_.end() ? 0 : busy->second);
  };
  for (std::size_t test : pending_)
    if (canRun(test) && (!best || rank(test) < rank(*best)))
      best = test;
  return best;
}

std::optional<std::size_t> SuiteSchedule::next(std::optional<std::size_t> previous) {
  const std::string program = previous ? tests_[*previous].program : std::string();
  std::optional<std::size_t> best = ranks_.empty() ? std::nullopt : lowestRank();
  if (previous && !best) {
    best = program.empty() ? firstPlain() : firstOf(program);
    for (auto each = pending_.upper_bound(*previous); // tests are sorted by program
         !best && each != pending_.end() && tests_[*each].program == program; ++each)
      if (canRun(*each))
        best = *each;
  }
  if (!best && (best = leastBusy(program))) {
    const std::string &chosen = tests_[*best].program;
    if (auto first = chosen.empty() ? firstPlain() : firstOf(chosen))
      best = first;
  }
  if (best)
    begin(*best);
  return best;
}

std::optional<std::size_t> SuiteSchedule::lowestRank() const {
  std::optional<std::size_t> best;
  for (std::size_t test : pending_)
    if (canRun(test) && (!best || ranks_[test] < ranks_[*best]))
      best = test;
  return best;
}

void SuiteSchedule::begin(std::size_t test) {
  pending_.erase(test);
  first_.erase(test);
  running_.insert(test);
  load_ += weightOf(test);
  ++busy_[tests_[test].program];
  for (const std::string &name : groupsOf(test))
    groups_[name].hasBegun = true;
  for (const std::string &lock : locksOf(test))
    locks_.insert(lock);
}

void SuiteSchedule::finish(std::size_t test, bool hasFailed) {
  assert(running_.count(test) && "only what runs can finish");
  running_.erase(test);
  load_ -= weightOf(test);
  --busy_[tests_[test].program];
  for (const std::string &lock : locksOf(test))
    locks_.erase(lock);
  leaveGroups(test, hasFailed);
}

void SuiteSchedule::leaveGroups(std::size_t test, bool hasFailed) {
  for (const std::string &name : groupsOf(test)) {
    Group &group = groups_[name];
    group.hasFailed |= hasFailed;
    if (--group.unfinished > 0)
      continue;
    for (std::size_t waiting : std::exchange(group.waiting, {}))
      --blockers_[waiting];
  }
}

void SuiteSchedule::giveUp() {
  auto wasSetUp = [&](const std::string &fixture) {
    auto group = groups_.find(setupGroup(fixture));
    return group == groups_.end() || group->second.hasBegun;
  };
  std::vector<std::size_t> left;
  for (std::size_t test : pending_)
    if (const auto &cleaned = entryOf(test).fixturesCleanup;
        cleaned.empty() || !llvm::all_of(cleaned, wasSetUp))
      left.push_back(test);
  for (std::size_t test : left) {
    pending_.erase(test);
    first_.erase(test);
    leaveGroups(test, false);
  }
}

bool SuiteSchedule::reopen(std::size_t test) {
  for (const std::string &fixture : entryOf(test).fixturesRequired) {
    auto cleanup = groups_.find(cleanupGroup(fixture));
    auto use = groups_.find(useGroup(fixture));
    if (cleanup != groups_.end() && use != groups_.end() && use->second.unfinished == 0)
      return false; // its clean-up was let go
  }
  pending_.insert(test);
  for (const std::string &name : groupsOf(test))
    ++groups_[name].unfinished;
  return true;
}

std::string SuiteSchedule::hindrance(std::size_t test) const {
  if (tests_[test].isDisabled)
    return "";
  for (const std::string &fixture : entryOf(test).fixturesRequired) {
    auto group = groups_.find(setupGroup(fixture));
    if (group != groups_.end() && group->second.hasFailed)
      return fmt::format("the set-up of its fixture {} failed", fixture);
  }
  return "";
}

std::vector<std::size_t> SuiteSchedule::takeStuck() {
  if (!running_.empty() || llvm::any_of(pending_, [&](std::size_t test) { return canRun(test); }))
    return {};
  std::vector<std::size_t> stuck(pending_.begin(), pending_.end());
  pending_.clear();
  return stuck;
}

} // namespace retest
