#pragma once

#include "run/recorded_test.h"
#include "select/selection.h"

#include <llvm/ADT/ArrayRef.h>

namespace retest {

/// What a run of all tests says about the selection that it did not follow.
enum class ShadowVerdict : std::uint8_t {
  Unchanged, ///< the outcome is that of the baseline
  Caught,    ///< selected, and the outcome is another one
  Escaped,   ///< skipped, and the outcome is another one each time: a mistake of the selection
  Unstable,  ///< skipped, and the outcome is the recorded one in some runs, another in others
  Unknown,   ///< there is nothing to compare it with: new, disabled, or it did not run
};

/// `before`: how it ended when it was recorded; `now`: how it ended each time it ran.
ShadowVerdict shadowVerdict(Verdict verdict, TestStatus before, llvm::ArrayRef<TestStatus> now);

} // namespace retest
