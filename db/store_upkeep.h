#pragma once

#include "db/store.h"

namespace retest {

/// What a baseline holds.
struct BaselineSummary {
  BaselineInfo info;
  std::uint64_t units = 0;
  bool hasCoverage = false; ///< else it is of the graph alone, and the rest is 0
  std::uint64_t tests = 0;
  std::uint64_t unmeasured = 0;    ///< of them
  std::uint64_t coverageBytes = 0; ///< graphs are shared with other baselines

  auto operator<=>(const BaselineSummary &) const = default;
};

struct StoreSummary {
  std::string path;
  int version = 0; ///< of the tables
  std::uint64_t bytes = 0;
  std::uint64_t freeBytes = 0;            ///< of them, in pages that `compact` would give back
  std::vector<BaselineSummary> baselines; ///< newest first
};

llvm::Expected<StoreSummary> summarise(Store &store);

/// Removes baselines by their exact names, all or none.
llvm::Error removeBaselines(Store &store, const std::vector<std::string> &names);

/// Writes the file anew without what was removed from it.
llvm::Error compact(Store &store);

/// Which baselines a rule leaves: the newest `keep`, and each that a user named himself. Gives the
/// names of the others, oldest first.
std::vector<std::string> baselinesToPrune(const std::vector<BaselineInfo> &newestFirst,
                                          std::size_t keep);

} // namespace retest
