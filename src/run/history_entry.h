#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// What came of one `retest run` or `retest shadow`.
struct HistoryEntry {
  std::string at;      ///< "2025-01-31T12:00:00Z"
  std::string command; ///< "run" or "shadow"
  std::string commit;  ///< empty: not in a repository
  std::string kind;    ///< of the selection: "subset", "none" or "all"
  std::string reason;  ///< why all, if it could not be told; else empty
  std::uint64_t total = 0, selected = 0, ran = 0, failed = 0;
  /// Of a shadow run: tests whose outcome is not that of the baseline, selected or not.
  std::uint64_t caught = 0, escaped = 0;
  std::chrono::microseconds selecting{0}; ///< what it took to select
  std::chrono::microseconds ranTime{0};   ///< what the tests took that ran
  /// What those took when they were recorded that the selection leaves out.
  std::chrono::microseconds savedTime{0};
  /// What spoke for tests (ReportedReason::rule), with the number of tests; sorted.
  std::vector<std::pair<std::string, std::uint64_t>> rules = {};

  auto operator<=>(const HistoryEntry &) const = default;
};

} // namespace retest
