#include "report/verification.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

namespace {

ReportedTest test(const char *binary, std::optional<Framework> framework, const char *name,
                  Verdict verdict, const char *suite = "", const char *native = nullptr) {
  ReportedTest result;
  result.test.binary = binary;
  result.test.framework = framework;
  result.test.name = name;
  result.test.suite = suite;
  result.test.native = {native ? native : name, false, false};
  result.test.entries = {*binary ? "run " + std::string(binary) : name};
  result.verdict = verdict;
  return result;
}

SelectionReport selection() {
  using enum Verdict;
  SelectionReport report;
  report.knowsTests = true;
  report.tests = {test("b/g", Framework::GoogleTest, "S.a", Affected),
                  test("b/g", Framework::GoogleTest, "S.b", Skipped),
                  test("b/h", Framework::GoogleTest, "S.a", Skipped),
                  test("b/c", Framework::Catch2, "case", Affected),
                  test("b/c", Framework::Catch2, "case [asleep]", Disabled, "", "case"),
                  test("b/c", Framework::Catch2, "case/x", Affected),
                  test("b/d", Framework::Doctest, "same (s)", Affected, "s", "same"),
                  test("b/d", Framework::Doctest, "same (t)", Skipped, "t", "same"),
                  test("b/boost", Framework::BoostTest, "s/two words", Affected, "s"),
                  test("", std::nullopt, "plain", Affected)};
  return report;
}

/// "missing ... | extra ... | unknown ..."; `?` behind what is ambiguous.
std::string verified(const std::vector<NamedExecution> &executions) {
  SelectionReport report = selection();
  Verification result = verifyExecution(report, executions);
  std::string text = "missing";
  for (std::size_t i : result.missing)
    text += " " + idOf(report.tests[i].test) + (llvm::is_contained(result.ambiguous, i) ? "?" : "");
  text += " | extra";
  for (std::size_t i : result.extra)
    text += " " + idOf(report.tests[i].test);
  text += " | unknown";
  for (const std::string &name : result.unknown)
    text += " " + name;
  return text;
}

constexpr ReportDialect kNames = ReportDialect::Names, kGoogleTest = ReportDialect::GoogleTest,
                        kBoostTest = ReportDialect::BoostTest, kCTest = ReportDialect::CTest;
const NamedExecution kPlain = {"", {kCTest, {{"plain"}}}};
const NamedExecution kCatch = {"", {kNames, {{"case"}, {"case/x"}}}};
const NamedExecution kDoc = {"", {kNames, {{"same", "s"}}}};
const NamedExecution kBoost = {"", {kBoostTest, {{"s.two_words"}}}};
const NamedExecution kGoogle = {"g", {kGoogleTest, {{"S.a"}}}};

} // namespace

TEST_CASE("verification: one row per way of naming") {
  CHECK(verified({kPlain, kCatch, kDoc, kBoost, kGoogle}) == "missing | extra | unknown");
  // One report, two programs: whose is it?
  NamedExecution google = kGoogle;
  google.binary = "";
  CHECK(verified({kPlain, kCatch, kDoc, kBoost, google}) == "missing g::S.a? | extra | unknown");
  CHECK(verified({kPlain, kCatch, kDoc, kBoost, google, google}) ==
        "missing | extra h::S.a | unknown");
  google.binary = "h";
  CHECK(verified({kPlain, kCatch, kDoc, kBoost, google}) ==
        "missing g::S.a | extra h::S.a | unknown");
  // A section of the one is not the other, and not the one's own.
  CHECK(verified({kPlain, {"", {kNames, {{"case/x"}}}}, kDoc, kBoost, kGoogle}) ==
        "missing c::case | extra | unknown");
  CHECK(verified({kPlain, {"", {kNames, {{"case/y/z"}, {"case/x/y"}}}}, kDoc, kBoost, kGoogle}) ==
        "missing | extra | unknown");
  // Suites that are not told.
  CHECK(verified({kPlain, kCatch, {"", {kNames, {{"same"}}}}, kBoost, kGoogle}) ==
        "missing d::same (s)? | extra | unknown");
  CHECK(verified({kPlain, kCatch, {"", {kNames, {{"same/a"}, {"same/b"}}}}, kBoost, kGoogle}) ==
        "missing d::same (s)? | extra | unknown");
  CHECK(verified({kPlain, kCatch, {"", {kNames, {{"same"}, {"same"}}}}, kBoost, kGoogle}) ==
        "missing | extra d::same (t) | unknown");
  // An entry stands for all that it runs; names of another framework mean nothing.
  CHECK(verified({{"", {kCTest, {{"run b/g"}, {"plain"}, {"more"}}}}, kCatch, kDoc, kBoost}) ==
        "missing | extra g::S.b | unknown more");
  CHECK(verified({kPlain, {"", {kGoogleTest, {{"case"}}}}, kDoc, kBoost, kGoogle}) ==
        "missing c::case c::case/x | extra | unknown case");
  // Of retest itself: names as it has them, with the program's file name.
  CHECK(verified({{"",
                   {ReportDialect::Retest,
                    {{"S.a", "g"},
                     {"case", "c"},
                     {"case/x", "c"},
                     {"same (s)", "d"},
                     {"s/two words", "boost"},
                     {"plain", "ctest"},
                     {"S.b", "h"}}}}}) == "missing | extra | unknown S.b");
  CHECK(verified({}) == "missing g::S.a c::case c::case/x d::same (s) boost::s/two words plain "
                        "| extra | unknown");
}
