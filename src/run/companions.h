#pragma once

#include "run/ctest_suite.h"

#include <set>

namespace retest {

/// The entries that have to run with those of these names: what sets up and cleans up the fixtures
/// that they require, the entries that they depend on (DEPENDS), and what all of these need in
/// turn. Those that were given are not named again. Disabled entries take no part, as in CTest.
///
///     setUp (FIXTURES_SETUP f) <- uses (FIXTURES_REQUIRED f)     of {uses}: {cleanUp setUp}
///     cleanUp (FIXTURES_CLEANUP f)                               of {setUp}: {}
///
/// CTest adds those of fixtures by itself, and takes DEPENDS as an order only; but whoever wrote it
/// may rely on what the other leaves behind.
std::set<std::string> companionEntries(llvm::ArrayRef<SuiteEntry> entries,
                                       const std::set<std::string> &names);

} // namespace retest
