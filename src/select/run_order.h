#pragma once

#include "select/selection.h"

#include <llvm/ADT/ArrayRef.h>

#include <chrono>
#include <optional>

namespace retest {

/// A test that is to be run, as far as its place in the order depends on it.
struct RunCandidate {
  Verdict verdict = Verdict::Affected;
  std::optional<std::chrono::microseconds> duration = {}; ///< when it ran last; nothing: never

  auto operator<=>(const RunCandidate &) const = default;
};

/// The candidates, by index, the likeliest to fail first: those that failed last time, new ones,
/// affected ones, then those that are only not known to be unaffected. Among equals the shortest
/// comes first, since it tells most for its time.
std::vector<std::size_t> likeliestToFail(llvm::ArrayRef<RunCandidate> candidates);

struct BudgetPlan {
  std::vector<std::size_t> run;  ///< in the order in which they are to begin
  std::vector<std::size_t> left; ///< for which there is no time; ascending

  auto operator<=>(const BudgetPlan &) const = default;
};

/// What fits into `budget`, by the times that were recorded, if `jobs` tests run at once: in the
/// order of likeliestToFail, leaving out what does not fit any more. A test that never ran counts
/// as long as the mean of the others.
BudgetPlan withinBudget(llvm::ArrayRef<RunCandidate> candidates, std::chrono::microseconds budget,
                        unsigned jobs);

/// A part of the tests, for one of several machines.
struct Shard {
  unsigned index = 1, count = 1; ///< 1-based

  auto operator<=>(const Shard &) const = default;
};

/// Divides candidates into `count` parts that take about as long, by the times that were recorded:
/// for each candidate its part, from 0. The longest go first, each to the part that has least.
/// Depends on nothing but the arguments, so that machines that have the same ones agree.
std::vector<unsigned> shardsOf(llvm::ArrayRef<RunCandidate> candidates, unsigned count);

} // namespace retest
