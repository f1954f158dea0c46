#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace retest {

/// How names in a report of executed tests are to be read.
enum class ReportDialect {
  GoogleTest, ///< NativeTest::name
  Names,      ///< Catch2, doctest: the case, maybe with `/section` behind it; blanks around dropped
  BoostTest,  ///< boostReportName
  CTest,      ///< names of entries, also of Meson
  Retest,     ///< RecordedTest::name; the suite is the program's file name, or "ctest"
};

struct ExecutedTest {
  std::string name;
  std::optional<std::string> suite = {}; ///< where the report tells it, with doctest and retest

  auto operator<=>(const ExecutedTest &) const = default;
};

/// What a runner says it has executed, whatever came of it.
struct ExecutionReport {
  ReportDialect dialect = ReportDialect::Names;
  std::vector<ExecutedTest> tests = {}; ///< in the order of the report; a section is one more

  auto operator<=>(const ExecutionReport &) const = default;
};

/// Reads JUnit XML of GoogleTest, Catch2, doctest, Boost.Test, CTest and retest, what the reporters
/// `xml` of Catch2 and doctest write, and Meson's testlog.json. Catch2's JUnit leaves out cases
/// without assertions; its `xml` has them. Meson's JUnit has names of cases in the place of its
/// tests'.
///
/// Tests that are in a report but did not run are left out: disabled ones, those that a filter left
/// out, entries that CTest could not start.
llvm::Expected<ExecutionReport> readExecutionReport(llvm::StringRef text);

/// The path of a case of Boost.Test as its reports have it: `suite/two words` is `suite.two_words`.
std::string boostReportName(llvm::StringRef path);

} // namespace retest
