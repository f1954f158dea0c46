#pragma once

#include "report/program_tests.h"

namespace retest {

/// A selection in the words of a runner.
struct RunnerText {
  std::string text;
  std::vector<std::string> extra = {}; ///< what runs and was not selected, by id; sorted
  std::vector<std::string> notes = {}; ///< what else the user should know

  bool operator==(const RunnerText &) const = default;
};

/// The filter of one program of a framework: a line each for what starts it once.
///
///     GoogleTest  what a file for --gtest_flagfile holds
///     Catch2      what a file for -f holds
///     others      arguments, as a shell has to be given them
///
/// A line is never empty: it tells "everything" and "nothing" apart. `binary` names the program, by
/// its file name or more of its path; empty: it is the only one.
llvm::Expected<RunnerText> programText(const SelectionReport &report, Framework framework,
                                       FilterForm form, const std::string &binary);

/// What an include form cannot have: tests that the program alone can list.
std::string notListedYet(const std::string &binary);

/// Lists for CMake: RETEST_KIND, RETEST_SELECTED, RETEST_SKIPPED. An error for what cannot be an
/// element of a list.
llvm::Expected<RunnerText> cmakeText(const SelectionReport &report);

/// The id of a test of a program.
std::string idOf(const std::string &binary, const NativeTest &test);

} // namespace retest
