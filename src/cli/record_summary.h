#pragma once

#include "cli/context.h"
#include "cli/record_suite.h"

namespace retest {

/// Tells what was recorded: how many tests, which failed, which could not be measured and why, how
/// they were kept apart, how exact the witnesses are, and how large the store is.
void printRecordSummary(const RecordedSuite &suite, const std::string &storePath, Context &context);

} // namespace retest
