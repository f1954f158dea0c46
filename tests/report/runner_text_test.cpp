#include "report/runner_text.h"

#include <doctest/doctest.h>

using namespace retest;
using enum FilterForm;

namespace {

ReportedTest test(const char *binary, Framework framework, const char *name, Verdict verdict,
                  bool isDisabled = false) {
  ReportedTest result;
  result.test.binary = binary;
  result.test.framework = framework;
  result.test.name = std::string(name) + " [entry]"; // what findTests may add
  result.test.native = {name, isDisabled, false};
  result.verdict = verdict;
  return result;
}

SelectionReport reportOf(std::vector<ReportedTest> tests) {
  SelectionReport report;
  report.knowsTests = true;
  report.tests = std::move(tests);
  finishReport(report);
  return report;
}

std::string textOf(const SelectionReport &report, Framework framework, FilterForm form,
                   const std::string &binary = "") {
  auto text = programText(report, framework, form, binary);
  if (!text)
    return "error: " + llvm::toString(text.takeError());
  std::string result = text->text;
  for (const std::string &id : text->extra)
    result += "extra " + id + "\n";
  for (const std::string &note : text->notes)
    result += "note " + note + "\n";
  return result;
}

} // namespace

TEST_CASE("runner text: one row per framework") {
  struct Row {
    Framework framework;
    const char *include, *exclude, *none, *all;
  };
  const Row rows[] = {
      {Framework::GoogleTest, "--gtest_filter=a b\n", "--gtest_filter=-it's\n",
       "--gtest_filter=-*\n", "--gtest_filter=*\n"},
      {Framework::Catch2, "\"a b\"\n", "\"*\"~\"it's\"\n", "\"*\"~\"*\"\n", "# all tests\n"},
      {Framework::Doctest, "--dt-case-sensitive=true '--dt-test-case=a b'\n",
       "--dt-case-sensitive=true '--dt-test-case-exclude=it'\\''s'\n",
       "'--dt-test-case-exclude=*'\n", "'--dt-test-case=*'\n"},
      {Framework::BoostTest, "'--run_test=a b'\n", "'--run_test=!it'\\''s'\n", "'--run_test=!*'\n",
       "--random=0\n"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.include);
    auto reported = [&](Verdict first, Verdict second) {
      return reportOf({test("<build>/t", row.framework, "a b", first),
                       test("<build>/t", row.framework, "it's", second)});
    };
    SelectionReport some = reported(Verdict::Affected, Verdict::Skipped);
    CHECK(textOf(some, row.framework, Include) == row.include);
    CHECK(textOf(some, row.framework, Exclude) == row.exclude);
    CHECK(textOf(some, row.framework, Exclude, "t") == row.exclude);
    SelectionReport none = reported(Verdict::Skipped, Verdict::Skipped);
    CHECK(textOf(none, row.framework, Include) == row.none);
    SelectionReport all = reported(Verdict::Failed, Verdict::New);
    CHECK(textOf(all, row.framework, Include) == row.all);
    CHECK(textOf(all, row.framework, Exclude) == row.all);
    CHECK(textOf(SelectionReport(), row.framework, Exclude) == row.all); // nothing is known
  }
}

TEST_CASE("runner text: which program") {
  SelectionReport report =
      reportOf({test("<build>/a/t", Framework::GoogleTest, "S.x", Verdict::Affected),
                test("<build>/b/t", Framework::GoogleTest, "S.x", Verdict::Skipped),
                test("<build>/doc", Framework::Doctest, "x", Verdict::Skipped)});
  CHECK(textOf(report, Framework::GoogleTest, Include) ==
        "error: --format gtest: name the program with --binary, one of <build>/a/t, <build>/b/t");
  CHECK(textOf(report, Framework::GoogleTest, Include, "t") ==
        "error: --binary t: several are programs with tests of this framework: <build>/a/t, "
        "<build>/b/t");
  CHECK(textOf(report, Framework::GoogleTest, Include, "doc") ==
        "error: --binary doc: there is no such program with tests of this framework: "
        "<build>/a/t, <build>/b/t");
  CHECK(textOf(report, Framework::GoogleTest, Include, "b/t") == "--gtest_filter=-*\n");
  CHECK(textOf(report, Framework::GoogleTest, Include, "<build>/a/t") == "--gtest_filter=*\n");
  CHECK(textOf(report, Framework::Catch2, Include) ==
        "error: --format catch2: no program has tests of this framework");
}

TEST_CASE("runner text: one test that is run in two ways is wanted if one of them is") {
  SelectionReport report = reportOf({test("t", Framework::GoogleTest, "S.x", Verdict::Skipped),
                                     test("t", Framework::GoogleTest, "S.x", Verdict::Affected),
                                     test("t", Framework::GoogleTest, "S.y", Verdict::Skipped)});
  CHECK(textOf(report, Framework::GoogleTest, Include) == "--gtest_filter=S.x\n");
  CHECK(textOf(report, Framework::GoogleTest, Exclude) == "--gtest_filter=-S.y\n");
}

TEST_CASE("runner text: what is hidden, and selected because an entry asks for it") {
  auto reported = [](Framework framework) {
    return reportOf({test("t", framework, "hidden", Verdict::Affected, true),
                     test("t", framework, "asleep", Verdict::Disabled, true),
                     test("t", framework, "x", Verdict::Affected),
                     test("t", framework, "y", Verdict::Skipped)});
  };
  CHECK(textOf(reported(Framework::Catch2), Framework::Catch2, Include) == "\"x\",\"hidden\"\n");
  CHECK(textOf(reported(Framework::Catch2), Framework::Catch2, Exclude) ==
        "\"*\"~[.]~\"y\",\"hidden\"\n");
  CHECK(textOf(reported(Framework::BoostTest), Framework::BoostTest, Exclude) ==
        "'--run_test=!y'\n--run_test=hidden\n");
  CHECK(llvm::StringRef(textOf(reported(Framework::GoogleTest), Framework::GoogleTest, Exclude))
            .contains("takes 2 starts"));
}

TEST_CASE("runner text: programs that may have other tests than the list") {
  SelectionReport report = reportOf({test("t", Framework::Catch2, "x", Verdict::Affected),
                                     test("t", Framework::Catch2, "y", Verdict::Skipped)});
  report.open = {"t"};
  CHECK(textOf(report, Framework::Catch2, Exclude) == "# all tests\nextra t::y\n");
  CHECK(textOf(report, Framework::Catch2, Include) ==
        "\"x\"\nnote t may have tests that only the built program can list; they do not run\n");
  // In whose suites new tests are is not known.
  report = reportOf({test("t", Framework::Doctest, "x*", Verdict::New),
                     test("t", Framework::Doctest, "xy", Verdict::Skipped)});
  CHECK(textOf(report, Framework::Doctest, Include) == "'--dt-test-case=*'\nextra t::xy\n");
}

TEST_CASE("runner text: names that an older retest did not keep") {
  SelectionReport report = reportOf({test("t", Framework::BoostTest, "x", Verdict::Affected),
                                     test("t", Framework::BoostTest, "y", Verdict::Skipped)});
  report.tests[0].test.native.reset();
  CHECK(llvm::StringRef(textOf(report, Framework::BoostTest, Include)).contains("older retest"));
  CHECK(textOf(report, Framework::BoostTest, Exclude) == "--random=0\nextra t::y\n");
}

TEST_CASE("runner text: lists of CMake") {
  auto lists = [](const char *first, const char *second) {
    ReportedTest one, two;
    one.test.name = first;
    one.verdict = Verdict::Affected;
    two.test.name = second;
    auto text = cmakeText(reportOf({one, two}));
    return text ? text->text : "error: " + llvm::toString(text.takeError());
  };
  CHECK(lists("a;b", "c ]=] d [e]") ==
        "error: c ]=] d [e]: cannot be an element of a list of CMake; use another format, such as "
        "json");
  CHECK(lists("a;b", "c [e] $x") == "set(RETEST_KIND \"subset\")\nset(RETEST_SELECTED\n"
                                    "  [=[a\\;b]=])\nset(RETEST_SKIPPED\n  [=[c [e] $x]=])\n");
  CHECK(lists("[=[x]=]", "b") == "set(RETEST_KIND \"subset\")\nset(RETEST_SELECTED\n"
                                 "  [==[[=[x]=]]==])\nset(RETEST_SKIPPED\n  [=[b]=])\n");
  CHECK(llvm::StringRef(lists("a\\", "b")).starts_with("error: a\\: "));
}
