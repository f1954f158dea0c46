#pragma once

#include "cov/coverage_matrix.h"

#include <llvm/ADT/ArrayRef.h>

namespace retest {

/// A part of the environment that is not what it was, and the tests that it concerns.
struct EnvironmentChange {
  std::string binary, what;
  std::vector<TestId> tests; ///< sorted

  auto operator<=>(const EnvironmentChange &) const = default;
};

/// What differs between two environments, sorted. A binary that is not built any more has no
/// environment; that it is gone is told elsewhere.
///
/// The loader is not a part by itself: what it finds are libraries, which are compared. Where it
/// changed and a binary is not there to be asked, that binary's libraries are gone, which counts.
std::vector<EnvironmentChange> changedEnvironment(llvm::ArrayRef<EnvironmentPart> recorded,
                                                  llvm::ArrayRef<EnvironmentPart> current,
                                                  llvm::ArrayRef<RecordedTest> tests);

} // namespace retest
