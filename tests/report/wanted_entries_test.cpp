#include "report/wanted_entries.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

ReportedTest test(const char *binary, const char *name, Verdict verdict,
                  std::vector<std::string> entries) {
  ReportedTest result;
  result.test.binary = binary;
  result.test.name = name;
  if (*binary)
    result.test.framework = Framework::GoogleTest;
  result.verdict = verdict;
  result.test.entries = std::move(entries);
  return result;
}

std::vector<SuiteEntry> entries() {
  return {{"all", {"/b/t"}},
          {"one", {"/b/t", "--gtest_filter=S.one"}},
          {"fresh", {"/b/t", "--gtest_filter=S.fresh"}},
          {"some", {"/b/t", "--gtest_filter=S.*"}},
          {"other", {"/b/other"}},
          {"plain", {"/bin/sh"}},
          {"unbuilt", {}}};
}

/// The names of those that have to run.
std::string wanted(const SelectionReport &report, FilterForm form = FilterForm::Exclude) {
  std::vector<SuiteEntry> all = entries();
  std::vector<bool> isWanted =
      wantedEntries(report, all, form, [](llvm::StringRef path) { return path.str(); });
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (isWanted[i])
      text += (text.empty() ? "" : " ") + all[i].name;
  return text;
}

SelectionReport skipped() {
  SelectionReport report;
  report.knowsTests = true;
  report.tests = {test("/b/t", "S.one", Verdict::Skipped, {"all", "one", "some"}),
                  test("/b/t", "S.two", Verdict::Skipped, {"all", "fresh", "some"}),
                  test("/b/other", "S.one", Verdict::Skipped, {"other"}),
                  test("", "plain", Verdict::Skipped, {"plain"}),
                  test("", "unbuilt", Verdict::Skipped, {"unbuilt"})};
  return report;
}

} // namespace

TEST_CASE("wanted entries: one row per verdict") {
  CHECK(wanted(skipped()) == "");
  SelectionReport report = skipped();
  report.tests[0].verdict = Verdict::Affected;
  CHECK(wanted(report) == "all one some");
  report = skipped();
  report.tests[3].verdict = Verdict::Disabled;
  CHECK(wanted(report) == "plain");
  CHECK(wanted(report, FilterForm::Include) == "");
  report = skipped();
  report.tests.erase(report.tests.begin() + 3); // nobody knows it
  CHECK(wanted(report) == "plain");
  report.reason = "it could not be told";
  CHECK(wanted(report) == "all one fresh some other plain unbuilt");
}

TEST_CASE("wanted entries: programs with new tests, or such as only they can list") {
  SelectionReport report = skipped();
  report.tests.push_back(test("/b/t", "S.fresh", Verdict::New, {}));
  CHECK(wanted(report) == "all fresh some unbuilt");
  report = skipped();
  report.open = {"/b/t"};
  CHECK(wanted(report) == "all some unbuilt");
}
