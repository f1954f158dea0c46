#include "report/selection_file.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

SelectionReport sample() {
  SelectionReport report;
  report.kind = SelectionKind::Subset;
  report.baseline = {"v1", "c0ffee", "2025-01-31T12:00:00Z"};
  report.knowsTests = true;
  RecordedTest test;
  test.binary = "<build>/t";
  test.name = std::string("odd\0name\n", 9);
  test.framework = Framework::Doctest;
  test.native = {"odd", true, false};
  test.entries = {"a", "b"};
  test.settings = {1, 2};
  test.status = TestStatus::Failed;
  test.duration = std::chrono::microseconds(1234567);
  test.programs = {"<build>/t"};
  report.tests = {{test, Verdict::Affected, {0, 1}, {}},
                  {RecordedTest{}, Verdict::Skipped, {}, {0}}};
  report.reasons = {
      {"statement", "a.cpp", 5, "f()", "x -T-> y", "code changed", 0, {{"a.h", {1, 3}, {2, 2}}}},
      {"failed", "", 0, "", "", "it failed", {}}};
  report.excerpts = {"- a\n+ b\n"};
  report.open = {"<build>/t"};
  report.doubts = {{"not known", "b.h", 0}};
  report.uncovered = {{"g()", "a.cpp", 9, "code changed"}};
  report.quarantined = {{"t::odd", "2030-12-31", "slow"}};
  return report;
}

std::string problemOf(llvm::StringRef text) {
  auto report = decodeReport(text);
  return report ? "" : llvm::toString(report.takeError());
}

} // namespace

TEST_CASE("selection file: a report comes back as it was") {
  SelectionReport report = sample();
  auto decoded = decodeReport(encodeReport(report));
  REQUIRE(bool(decoded));
  CHECK((*decoded == report));
  CHECK((*decodeReport(encodeReport(SelectionReport())) == SelectionReport()));
}

TEST_CASE("selection file: anything else is an error") {
  std::string bytes = encodeReport(sample());
  CHECK(problemOf("") == "not a selection");
  CHECK(problemOf("{}") == "not a selection");
  CHECK(problemOf(bytes + "x") == "a damaged selection");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK(problemOf(llvm::StringRef(bytes).take_front(size)) != "");
  SelectionReport wrong = sample();
  wrong.tests[0].reasons = {7};
  CHECK(problemOf(encodeReport(wrong)) == "a damaged selection");
  wrong = sample();
  wrong.reasons[0].excerpt = 7;
  CHECK(problemOf(encodeReport(wrong)) == "a damaged selection");
}
