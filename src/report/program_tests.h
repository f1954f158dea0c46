#pragma once

#include "report/selection_report.h"
#include "run/suite_filter.h"

#include <llvm/Support/Error.h>

namespace retest {

/// A program of a framework, its tests as filters of the framework need them, and the wanted ones.
struct ProgramTests {
  std::string binary;
  std::optional<Framework> framework; ///< none: the program is new
  std::vector<NativeTest> tests;      ///< each (suite, name) once, whatever entries run it
  std::vector<bool> isWanted;
  /// It may have tests that are not in the list: SelectionReport::open, or nothing could be told.
  bool isOpen = false;
  bool areNamesKnown = true; ///< else an older retest recorded them
  /// New tests of doctest, whose suites are not known, have names that cannot be written exactly.
  bool areSuitesNeeded = false;

  bool operator==(const ProgramTests &) const = default;
};

/// The programs that the selection knows of, by name.
std::vector<ProgramTests> programsOf(const SelectionReport &report);

/// Whether what the user types names a binary: "t", "sub/t" and "<build>/sub/t" do. Nothing names
/// all.
bool namesBinary(llvm::StringRef typed, llvm::StringRef binary);

/// Programs that have new tests, or may have such as only the built program can list. Sorted.
std::vector<std::string> programsWithMore(const SelectionReport &report);

/// What makes a program run the wanted tests, and maybe others.
struct ProgramFilter {
  std::vector<RunnerStart> starts = {}; ///< all of them are needed; none: there is nothing to run
  std::vector<NativeTest> extra = {};   ///< not wanted, and they run too

  bool operator==(const ProgramFilter &) const = default;
};

/// In exclude form only skipped tests are left out. What is disabled, and wanted because an entry
/// of CTest asks for it, has starts of its own.
///
/// An error for the include form of a recording that does not have the framework's own names.
llvm::Expected<ProgramFilter> programFilter(const ProgramTests &program, Framework framework,
                                            FilterForm form);

/// Arguments that change nothing, and such with which no test runs: text that says so where no text
/// could be taken for the other.
std::string everythingText(Framework framework);
std::string nothingText(Framework framework);

} // namespace retest
