#pragma once

#include "run/test_framework.h"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace retest {

/// What the arguments of an entry say of reports, for a program that is run test by test.
///
///     -s -r=xml --out=a.xml          asking {-s}  alone {-s -r=xml,console}     files {a.xml}
///     -x --gtest_output=xml:reports/ asking {-x}  alone {-x ...=xml:/dev/null}  files {reports/}
///
/// What a reporter does is part of each test: it may be the project's own, also under a name that
/// the framework knows, and so may the framework. The file stays as it is, for it would have the
/// result of the last test alone: what goes there goes to the output instead, or nowhere.
struct EntryReports {
  std::vector<std::string> asking; ///< arguments with which the program is asked for its tests
  std::vector<std::string> alone;  ///< arguments of one test
  /// Where the program writes, as the arguments have it; with a slash at the end: anywhere in that
  /// directory.
  std::vector<std::string> files;
  /// Why it cannot be run test by test; empty: it can, if nobody needs the files.
  std::string problem;
};

/// `arguments` are those that do not choose tests, EntryFilter::others.
EntryReports reportsOf(Framework framework, llvm::ArrayRef<std::string> arguments);

} // namespace retest
