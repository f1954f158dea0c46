#include "cli/test_runner.h"

#include "report/run_text.h"

#include <fmt/format.h>

namespace retest {

RunCandidate TestRunner::candidateOf(std::size_t test) const {
  auto known = known_.find(keyOf(suite_->recorded(test)));
  if (known == known_.end() || known->second->verdict == Verdict::New)
    return {Verdict::New, std::nullopt};
  const RecordedTest &before = known->second->test;
  bool hasFailed = lastFailed_.count(keyOf(before)) != 0;
  RunCandidate candidate{hasFailed ? Verdict::Failed : known->second->verdict, std::nullopt};
  if (before.duration.count() != 0)
    candidate.duration = before.duration;
  return candidate;
}

void TestRunner::applyShard() {
  if (!options_.shard)
    return;
  // In an order that is the same wherever the project lies.
  llvm::sort(chosen_,
             [&](std::size_t a, std::size_t b) { return suite_->idOf(a) < suite_->idOf(b); });
  std::vector<RunCandidate> candidates;
  for (std::size_t test : chosen_)
    candidates.push_back(candidateOf(test));
  std::vector<unsigned> shards = shardsOf(candidates, options_.shard->count);
  std::vector<std::size_t> mine;
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    if (shards[i] + 1 == options_.shard->index)
      mine.push_back(chosen_[i]);
    else
      left_[chosen_[i]] = "in another shard";
  chosen_ = std::move(mine);
  llvm::sort(chosen_);
}

void TestRunner::applyBudget() {
  if (!options_.budget)
    return;
  std::vector<RunCandidate> candidates;
  for (std::size_t test : chosen_)
    candidates.push_back(candidateOf(test));
  BudgetPlan plan = withinBudget(candidates, *options_.budget, options_.selection.tree.jobs);
  ranks_.assign(suite_->tests().size(), 0); // companions begin as soon as they can
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < plan.run.size(); ++i) {
    ranks_[chosen_[plan.run[i]]] = i + 1;
    fitting.push_back(chosen_[plan.run[i]]);
  }
  for (std::size_t each : plan.left)
    left_[chosen_[each]] = "left by the budget";
  chosen_ = std::move(fitting);
  llvm::sort(chosen_);
  deadline_ = RunClock::now() + *options_.budget;
}

/// A test is over; a second time in the same round, the first does not count.
std::string TestRunner::finished(std::size_t test, const TestOutcome &outcome) {
  TestAttempt attempt{outcome.status, outcome.end.wall, "", ""};
  if (isFailure(outcome.status)) {
    attempt.output = outcome.output;
    attempt.message = outcome.unmeasured;
    if (outcome.status == TestStatus::Failed && attempt.message.empty() &&
        outcome.end.exitCode != 0)
      attempt.message = fmt::format("exit code {}", outcome.end.exitCode);
    if (options_.isFailingFast && !quarantined_.count(keyOf(suite_->recorded(test))))
      isStopped_ = true;
  }
  std::string line;
  if (!context_.options.isQuiet && (isFailure(outcome.status) || context_.options.isVerbose))
    line = outcomeLine(suite_->recorded(test), attempt, context_.err.colors_enabled());
  std::vector<TestAttempt> &attempts = attempts_[test];
  if (auto last = lastRound_.find(test); last != lastRound_.end() && last->second == round_)
    attempts.back() = std::move(attempt);
  else
    attempts.push_back(std::move(attempt));
  lastRound_[test] = round_;
  return line;
}

llvm::Error TestRunner::runOnce(std::vector<std::size_t> tests, bool mayStop) {
  addCompanions(tests);
  RoundPlan plan;
  plan.isCancelled = &signals_->hasCome();
  if (mayStop) {
    plan.isStopped = &isStopped_;
    plan.lastBegin = deadline_;
  }
  if (!ranks_.empty())
    for (std::size_t test : tests)
      plan.ranks.push_back(ranks_[test]);
  plan.tests = std::move(tests);
  plan.onFinished = [this](std::size_t test, const TestOutcome &outcome) {
    return finished(test, outcome);
  };
  ++round_;
  return suite_->runRound(plan);
}

std::vector<std::size_t> TestRunner::failing(llvm::ArrayRef<std::size_t> tests) const {
  std::vector<std::size_t> result;
  for (std::size_t test : tests)
    if (auto attempts = attempts_.find(test);
        attempts != attempts_.end() && isFailure(attempts->second.back().status))
      result.push_back(test);
  return result;
}

llvm::Error TestRunner::runChosen() {
  std::vector<std::size_t> open = chosen_;
  while (!open.empty() && !isCancelled()) {
    isStopped_ = false;
    if (llvm::Error failed = runOnce(open, /*mayStop=*/true))
      return failed;
    std::vector<std::size_t> failed = failing(open);
    for (unsigned i = 0; i < options_.retries && !failed.empty() && !isCancelled(); ++i) {
      if (llvm::Error broken = runOnce(failed, /*mayStop=*/false))
        return broken;
      failed = failing(failed);
    }
    // Stopped by a failure that did not last: it goes on.
    bool goesOn = options_.isFailingFast && isStopped_ && failed.empty();
    const std::size_t before = open.size();
    llvm::erase_if(open, [&](std::size_t test) { return attempts_.count(test) != 0; });
    if (!goesOn || open.size() == before)
      break;
  }
  for (std::size_t test : open)
    left_[test] = isCancelled()              ? "interrupted"
                  : deadline_ && !isStopped_ ? "left by the budget"
                                             : "not begun after a failure";
  return llvm::Error::success();
}

/// Whether it was chance: a test that does not do the same each time says nothing.
llvm::Error TestRunner::repeatEscapes() {
  constexpr int kTimes = 2;
  std::vector<std::size_t> escaped;
  for (const auto &[test, attempts] : attempts_)
    if (auto known = known_.find(keyOf(suite_->recorded(test)));
        known != known_.end() && known->second->verdict == Verdict::Skipped &&
        known->second->test.status != attempts.back().status)
      escaped.push_back(test);
  for (int i = 0; i < kTimes && !escaped.empty() && !isCancelled(); ++i)
    if (llvm::Error failed = runOnce(escaped, /*mayStop=*/false))
      return failed;
  return llvm::Error::success();
}

} // namespace retest
