#include "select/run_order.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

using namespace retest;
using std::chrono::microseconds;

namespace {

/// "failed:5" took 5 us; "new:-" never ran.
RunCandidate candidate(llvm::StringRef text) {
  auto [word, time] = text.split(':');
  RunCandidate result;
  for (auto [name, verdict] : {std::pair("failed", Verdict::Failed),
                               {"new", Verdict::New},
                               {"affected", Verdict::Affected},
                               {"unmeasured", Verdict::Unmeasured},
                               {"doubt", Verdict::Doubt},
                               {"always", Verdict::Always}})
    if (word == name)
      result.verdict = verdict;
  unsigned value = 0;
  if (!time.getAsInteger(10, value))
    result.duration = microseconds(value);
  return result;
}

std::vector<RunCandidate> candidates(llvm::StringRef text) {
  std::vector<RunCandidate> result;
  llvm::SmallVector<llvm::StringRef, 8> words;
  text.split(words, ' ', -1, false);
  for (llvm::StringRef word : words)
    result.push_back(candidate(word));
  return result;
}

} // namespace

TEST_CASE("order: likeliest to fail first, then shortest") {
  struct Row {
    const char *what, *tests, *order;
  };
  const Row rows[] = {
      {"by what speaks for them", "always:1 doubt:1 unmeasured:1 affected:1 new:1 failed:1",
       "5 4 3 2 1 0"},
      {"the shorter of two", "affected:9 affected:3 affected:5", "1 2 0"},
      {"what speaks for it counts more", "affected:1 failed:9", "1 0"},
      {"one that never ran is of mean length", "affected:9 affected:- affected:1", "2 1 0"},
      {"equals stay in their order", "new:- new:- new:-", "0 1 2"},
      {"none", "", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(fmt::format("{}", fmt::join(likeliestToFail(candidates(row.tests)), " ")) == row.order);
  }
}

TEST_CASE("budget: what fits, and what is left") {
  struct Row {
    const char *what, *tests;
    unsigned budget, jobs;
    const char *plan;
  };
  const Row rows[] = {
      {"all fit", "affected:3 affected:4", 7, 1, "0 1 left"},
      {"the last does not", "affected:3 affected:4", 6, 1, "0 left 1"},
      {"a shorter one goes on where a longer one does not fit", "failed:9 new:5 affected:2", 8, 1,
       "1 2 left 0"},
      {"twice the room for two at once", "affected:3 affected:4", 4, 2, "0 1 left"},
      {"one that is longer than the budget never fits", "affected:9", 5, 2, "left 0"},
      {"times that are not known", "new:- affected:4 affected:6", 10, 1, "0 1 left 2"},
      {"nothing is known of any", "new:- new:-", 1, 1, "0 1 left"},
      {"no time at all", "affected:1", 0, 1, "left 0"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    BudgetPlan plan = withinBudget(candidates(row.tests), microseconds(row.budget), row.jobs);
    std::string text;
    for (std::size_t each : plan.run)
      text += fmt::format("{} ", each);
    text += "left";
    for (std::size_t each : plan.left)
      text += fmt::format(" {}", each);
    CHECK(text == row.plan);
  }
}

TEST_CASE("shards: disjoint, covering, and about as long") {
  struct Row {
    const char *what, *tests;
    unsigned count;
    const char *shards; ///< of each test
  };
  const Row rows[] = {
      {"one part has all", "affected:1 affected:2", 1, "0 0"},
      {"the longest go first", "affected:1 affected:2 affected:3 affected:6", 2, "1 1 1 0"},
      {"as many parts as tests", "affected:1 affected:2", 3, "1 0"},
      {"without times: one after the other", "new:- new:- new:- new:-", 2, "0 1 0 1"},
      {"tests that take no time are spread, too", "affected:0 affected:0", 2, "0 1"},
      {"none", "", 2, ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(fmt::format("{}", fmt::join(shardsOf(candidates(row.tests), row.count), " ")) ==
          row.shards);
  }
}
