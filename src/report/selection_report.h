#pragma once

#include "report/delta_json.h"
#include "report/delta_words.h"
#include "select/select_tests.h"

#include <optional>

namespace retest {

/// "Nothing is affected" and "it could not be told" are different answers.
enum class SelectionKind : std::uint8_t { Subset, None, All };

/// One thing that speaks for tests, in words.
struct ReportedReason {
  std::string rule;       ///< a word for programs: "statement", "file", "settings"
  std::string path;       ///< where the change was made; empty: not in a file
  std::uint32_t line = 0; ///< 0: not known
  std::string function;   ///< whose edge is dangerous
  std::string edge;       ///< "x > 0 -T-> return 1"
  std::string text;       ///< for people: "code changed at src/a.cpp:12"
  std::optional<std::uint32_t> excerpt = {}; ///< of the function's source: an index
  /// What was edited, if the text at the place is the same and means something else now.
  std::vector<EditedPlace> edits = {};

  auto operator<=>(const ReportedReason &) const = default;
};

struct ReportedTest {
  RecordedTest test;
  Verdict verdict = Verdict::Skipped;
  std::vector<std::uint32_t> reasons; ///< in SelectionReport::reasons; sorted
  /// Of a skipped test: what it came near, in the same list.
  std::vector<std::uint32_t> near = {};

  auto operator<=>(const ReportedTest &) const = default;
};

struct ReportedDoubt {
  std::string text, path;
  std::uint32_t line = 0;

  auto operator<=>(const ReportedDoubt &) const = default;
};

/// Changed code that no recorded test reaches.
struct UncoveredChange {
  std::string function, path;
  std::uint32_t line = 0;
  std::string text;

  auto operator<=>(const UncoveredChange &) const = default;
};

/// A test whose failure does not count for the time being.
struct QuarantinedTest {
  std::string id, until, reason; ///< "2026-12-31"; the reason may be empty

  auto operator<=>(const QuarantinedTest &) const = default;
};

/// The answer of `retest select`: plain text and numbers, which outlive the graphs that they were
/// made from.
struct SelectionReport {
  SelectionKind kind = SelectionKind::All;
  std::string reason; ///< why all, if it could not be told; else empty
  VersionLabel baseline = {};
  bool knowsTests = false;         ///< else no baseline was found, and `tests` says nothing
  std::vector<ReportedTest> tests; ///< all, by id
  std::vector<ReportedReason> reasons;
  std::vector<std::string> excerpts; ///< of functions in both versions, as `diff -u` writes them
  /// Programs, by name, that may have tests which are not in the list, or are not there as the list
  /// has them: only the built program can tell. Sorted.
  std::vector<std::string> open;
  std::vector<ReportedDoubt> doubts;
  std::vector<UncoveredChange> uncovered;
  std::vector<QuarantinedTest> quarantined = {}; ///< selected or not; by id, each once

  auto operator<=>(const SelectionReport &) const = default;
};

/// Whether the test is to be run.
inline bool isSelected(const ReportedTest &test) {
  return test.verdict != Verdict::Skipped && test.verdict != Verdict::Disabled;
}
std::size_t countSelected(const SelectionReport &report);

/// Puts a selection into words. `view` shows what `input` was made from.
void describeSelection(const DeltaView &view, const SelectInput &input, const Selection &selection,
                       SelectionReport &report);

/// For what could not be told: every known test is selected, and why.
void selectAll(SelectionReport &report, const std::string &reason);

/// Sorts the tests and says which kind it is.
void finishReport(SelectionReport &report);

llvm::StringRef wordFor(Verdict verdict);
llvm::StringRef wordFor(SelectionKind kind);

} // namespace retest
