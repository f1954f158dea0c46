#pragma once

#include "diff/comparison.h"

namespace retest {

/// The reason behind a difference that the walk found between two versions of a function.
Reason reasonOf(const Comparison &comparison, const Function &baseline, const Function &current,
                const FlowDifference &difference);

} // namespace retest
