#pragma once

#include "cli/test_run.h"
#include "run/history_entry.h"

namespace retest {

/// What a run is remembered by.
HistoryEntry historyOf(const TestRunReport &report, const std::string &command);

/// Adds it to the store; a store that cannot be written to is no reason to fail.
void keepHistory(const TestRunReport &report, const HistoryEntry &entry, Context &context);

} // namespace retest
