#pragma once

#include "run/ctest_suite.h"
#include "run/native_test.h"
#include "run/report_files.h"
#include "run/test_framework.h"

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// A test that can be run by itself. Its identity is (program, name); names are unique in a
/// program.
///
/// The name is the framework's own. Where that is not enough, something is added:
///
///     name (suite)    two tests of the program have the name, in different suites (doctest)
///     name [entry]    entries of CTest run it with different arguments, environments or properties
///     name #2         what is still the same
///
/// A plain entry of CTest has its own name, and no program.
struct FoundTest {
  std::string program; ///< by its path; empty: a plain entry
  std::string name;
  std::optional<Framework> framework = {};
  NativeTest native = {};                  ///< as the program lists it without a filter
  std::vector<std::string> arguments = {}; ///< the command line, the program first; empty: no such
  bool isFilterExact = true;               ///< nothing else runs with it
  bool isDisabled = false;                 ///< by CTest, or by its framework
  std::size_t entry = 0;                   ///< whose properties it has: an index
  std::vector<std::string> entries = {};   ///< names of all entries that run it; sorted
  /// Files that its entries have reports written to, by reportPath; sorted. Run test by test, it
  /// does not, or others of its program write them as well.
  std::vector<std::string> reports = {};
  Fingerprint settings = {}; ///< of these entries: SuiteSettings
  /// Of a plain entry whose program has a framework: why it is not run test by test.
  std::string note = {};
};

/// The tests that the entries run, sorted by identity. Programs of frameworks are asked for their
/// tests; each is run alone then. An entry is one plain test if
/// - its program has no framework: a script, a launcher, something else;
/// - its arguments or environment choose tests in a way that is not understood;
/// - it runs several tests, and has properties that speak of all of them: WILL_FAIL, regular
///   expressions, a skip code;
/// - somebody may need a report that it writes (ReportUsers), or its properties speak of the output
///   that goes there;
/// - its program does not list its tests.
/// What a program has, and no entry runs, is not a test.
std::vector<FoundTest> findTests(const std::vector<SuiteEntry> &entries,
                                 llvm::ArrayRef<NamedDirectory> directories = {},
                                 const FilesInUse &files = {});

/// Variables that change which tests a program runs; tests do not get ours.
const std::vector<std::string> &selectionVariables();

} // namespace retest
