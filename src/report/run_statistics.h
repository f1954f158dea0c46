#pragma once

#include "run/history_entry.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/raw_ostream.h>

#include <map>

namespace retest {

/// What selection saved over many runs.
struct RunStatistics {
  /// Of one command: what its selections were, and what they cost and saved.
  struct Runs {
    std::uint64_t count = 0, subset = 0, none = 0, all = 0;
    std::uint64_t tests = 0, selected = 0, ran = 0, failed = 0;
    std::chrono::microseconds selecting{0}, ranTime{0}, savedTime{0};

    auto operator<=>(const Runs &) const = default;
  };
  Runs runs;    ///< of `retest run`
  Runs shadows; ///< of `retest shadow`, which runs everything: what would have been saved
  std::uint64_t caught = 0, escaped = 0; ///< by shadow runs
  struct Rule {
    std::uint64_t runs = 0, tests = 0;

    auto operator<=>(const Rule &) const = default;
  };
  std::map<std::string, Rule> rules;              ///< what spoke for tests
  std::map<std::string, std::uint64_t> fallbacks; ///< why all tests, and how often

  auto operator<=>(const RunStatistics &) const = default;
};

RunStatistics statisticsOf(llvm::ArrayRef<HistoryEntry> history);

void writeStatisticsText(llvm::raw_ostream &out, const RunStatistics &statistics);
void writeStatisticsJson(llvm::raw_ostream &out, const RunStatistics &statistics);

} // namespace retest
