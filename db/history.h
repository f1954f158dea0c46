#pragma once

#include "db/store.h"
#include "run/history_entry.h"

namespace retest {

/// Entries stay when baselines are removed.
llvm::Error addHistory(Store &store, const HistoryEntry &entry);
/// Oldest first.
llvm::Expected<std::vector<HistoryEntry>> loadHistory(Store &store);

} // namespace retest
