#include "select/run_order.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

namespace retest {

namespace {

using std::chrono::microseconds;

unsigned rankOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Failed:
    return 0;
  case Verdict::New:
    return 1;
  case Verdict::Affected:
    return 2;
  case Verdict::Unmeasured:
    return 3;
  case Verdict::Doubt:
    return 4;
  case Verdict::Always:
    return 5;
  case Verdict::Skipped:
  case Verdict::Disabled:
    return 6;
  }
  return 6;
}

/// The time of each candidate; the mean for those of which none is known.
std::vector<microseconds> timesOf(llvm::ArrayRef<RunCandidate> candidates) {
  microseconds sum{0};
  std::int64_t known = 0;
  for (const RunCandidate &each : candidates)
    if (each.duration) {
      sum += *each.duration;
      ++known;
    }
  microseconds mean = known == 0 ? microseconds(0) : sum / known;
  std::vector<microseconds> times;
  for (const RunCandidate &each : candidates)
    times.push_back(each.duration.value_or(mean));
  return times;
}

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

} // namespace

std::vector<std::size_t> likeliestToFail(llvm::ArrayRef<RunCandidate> candidates) {
  std::vector<microseconds> times = timesOf(candidates);
  std::vector<std::size_t> order = numbers(candidates.size());
  llvm::sort(order, [&](std::size_t a, std::size_t b) {
    return std::tuple(rankOf(candidates[a].verdict), times[a], a) <
           std::tuple(rankOf(candidates[b].verdict), times[b], b);
  });
  return order;
}

BudgetPlan withinBudget(llvm::ArrayRef<RunCandidate> candidates, microseconds budget,
                        unsigned jobs) {
  std::vector<microseconds> times = timesOf(candidates);
  microseconds room = budget * std::max(1u, jobs);
  BudgetPlan plan;
  for (std::size_t each : likeliestToFail(candidates)) {
    // One that takes longer than the budget does not fit, however many run at once.
    if (times[each] > std::min(room, budget)) {
      plan.left.push_back(each);
      continue;
    }
    room -= times[each];
    plan.run.push_back(each);
  }
  llvm::sort(plan.left);
  return plan;
}

std::vector<unsigned> shardsOf(llvm::ArrayRef<RunCandidate> candidates, unsigned count) {
  assert(count > 0 && "there is one part at least");
  std::vector<microseconds> times = timesOf(candidates);
  std::vector<std::size_t> order = numbers(candidates.size());
  llvm::sort(order, [&](std::size_t a, std::size_t b) {
    return std::tuple(-times[a].count(), a) < std::tuple(-times[b].count(), b);
  });
  std::vector<unsigned> shards(candidates.size());
  std::vector<microseconds> load(count);
  for (std::size_t each : order) {
    auto least = std::min_element(load.begin(), load.end());
    shards[each] = static_cast<unsigned>(least - load.begin());
    *least += std::max(times[each], microseconds(1)); // else tests without a time would pile up
  }
  return shards;
}

} // namespace retest
