#pragma once

#include "run/native_test.h"
#include "run/test_framework.h"

#include <llvm/ADT/ArrayRef.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// The arguments of a CTest entry that runs a program of a framework, taken apart.
struct EntryFilter {
  std::vector<std::string> others = {}; ///< arguments that do not choose tests
  bool hasFilter = false;               ///< if not, the program runs all its tests
  /// The text of a filter that names one test, or (Boost.Test) one suite, without wildcards.
  std::optional<std::string> name = {};
  bool runsDisabled = false;    ///< what is disabled runs as well
  bool isCaseSensitive = false; ///< of doctest
  /// Why the program cannot be run test by test with these arguments; empty: it can.
  std::string problem = {};
};

/// `arguments` are those behind the program. What it does not know it leaves to the program, in
/// `others`, unless that could choose tests: `--gtest_flagfile=`, an unknown option of Catch2.
EntryFilter entryFilterOf(Framework framework, llvm::ArrayRef<std::string> arguments);

/// Of doctest: `--dt-test-case=x`, `--test-case=x`, `-tc=x`: its name without prefix, and its
/// value.
std::pair<llvm::StringRef, llvm::StringRef> doctestOption(llvm::StringRef argument);

/// Whether the argument makes disabled tests run as well.
bool wakesDisabled(Framework framework, llvm::StringRef argument);

/// Whether a filter that is a `name` chooses the test.
bool isNamed(Framework framework, const EntryFilter &filter, const NativeTest &test);

} // namespace retest
