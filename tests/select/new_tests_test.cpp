#include "select/new_tests.h"

#include "diff/compare.h"
#include "graph/link_program.h"
#include "graph/unit_fingerprint.h"
#include "tests/notation/program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

/// A unit that tells of tests: "adds() adds", the registration and the test's name, "*" for many.
/// What a registration does is the number behind: "adds() adds 2".
struct Told {
  const char *registration, *test;
  int meaning = 0;
};

UnitGraph unitTelling(llvm::ArrayRef<Told> tests, Names &names) {
  std::string text = "strong main(): in -> out\n", calls = "in ->";
  for (const Told &told : tests) {
    text += fmt::format("internal {}: in -> m{} ; m{} -> out\n", told.registration, told.meaning,
                        told.meaning);
    calls += fmt::format(" call {} ; call {} =>", told.registration, told.registration);
  }
  text += "initialiser init of a.cpp: " + calls + " out\n";
  UnitGraph graph = unit("a.cpp", text, names);
  for (Function &function : graph.functions)
    for (const Told &told : tests)
      if (names.text(function.name) == told.registration) {
        function.isTestRegistration = true;
        function.registeredTest = told.test;
      }
  graph.fingerprint = fingerprintOf(graph, names);
  return graph;
}

/// Without `native`, the name is the framework's own.
RecordedTest recorded(const char *name, const char *native = nullptr) {
  RecordedTest test;
  test.binary = "tool";
  test.name = name;
  test.framework = Framework::Doctest;
  test.native = {native ? native : name, false, false};
  return test;
}

/// "added: name... | changed: test...", by what registrations say.
std::string registered(llvm::ArrayRef<Told> baseline, llvm::ArrayRef<Told> current,
                       const std::vector<RecordedTest> &tests) {
  Names names;
  ProgramPlan plan = programPlan("tool = a.cpp", names);
  std::vector<UnitGraph> before, after;
  before.push_back(unitTelling(baseline, names));
  after.push_back(unitTelling(current, names));
  Project old = linkProject(std::move(before), plan, names);
  Project now = linkProject(std::move(after), plan, names);
  RegisteredTests found = registeredTests(compare(old, now, names), old, now, names, tests);
  std::string text = "added:";
  for (const NewTest &test : found.added)
    text += " " + test.name;
  text += " | changed:";
  for (const RegistrationChange &change : found.changes) {
    for (TestId test : change.tests)
      text += " " + tests[test.value].name;
    if (!change.unnamed.empty())
      text += " and others";
  }
  return text;
}

} // namespace

TEST_CASE("registered tests: one row per kind of edit") {
  const std::vector<RecordedTest> two = {recorded("adds"), recorded("subtracts")};
  std::vector<RecordedTest> whole = two;
  whole.push_back({});
  whole.back().name = "everything";
  whole.back().programs = {"tool"};
  const std::vector<RecordedTest> sharing = {recorded("adds (a)", "adds"),
                                             recorded("adds (b)", "adds"), recorded("adds (c)")};
  std::vector<RecordedTest> unsure = sharing; // recorded by an older retest
  unsure[1].native.reset();
  struct Row {
    const char *edit;
    std::vector<Told> baseline, current;
    std::vector<RecordedTest> tests;
    const char *expected;
  };
  const std::vector<Row> rows = {
      {"nothing", {{"r1()", "adds"}}, {{"r1()", "adds"}}, two, "added: | changed:"},
      {"a test more",
       {{"r1()", "adds"}},
       {{"r1()", "adds"}, {"r2()", "divides"}},
       two,
       "added: divides | changed:"},
      {"told in another way: its decorators",
       {{"r1()", "adds"}, {"r2()", "subtracts"}},
       {{"r1()", "adds", 1}, {"r2()", "subtracts"}},
       two,
       "added: | changed: adds"},
      {"a test less",
       {{"r1()", "adds"}, {"r2()", "subtracts"}},
       {{"r1()", "adds"}},
       two,
       "added: | changed: subtracts"},
      {"a test less, and who runs the whole program",
       {{"r1()", "adds"}, {"r2()", "subtracts"}},
       {{"r1()", "adds"}},
       whole,
       "added: | changed: subtracts everything"},
      {"many tests told in another way",
       {{"r1()", "*"}},
       {{"r1()", "*", 1}},
       two,
       "added: | changed: and others"},
      {"a name that several suites have",
       {{"r1()", "adds"}},
       {{"r1()", "adds", 1}},
       sharing,
       "added: | changed: adds (a) adds (b)"},
      {"a name that only looks as if something was added",
       {{"r1()", "adds (c)"}},
       {{"r1()", "adds (c)", 1}},
       sharing,
       "added: | changed: adds (c)"},
      {"a test of which the framework's own name is not known",
       {{"r1()", "adds (c)"}},
       {{"r1()", "adds (c)", 1}},
       unsure,
       "added: | changed: adds (b) adds (c)"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    CHECK(registered(row.baseline, row.current, row.tests) == row.expected);
  }
}

TEST_CASE("registered tests: a unit that is as it was is linked into one more program") {
  Names names;
  auto project = [&](const char *plan) {
    std::vector<UnitGraph> units;
    units.push_back(unitTelling({{"r1()", "adds"}}, names));
    units.push_back(unit("main.cpp", "strong main(): in -> out", names));
    return linkProject(std::move(units), programPlan(plan, names), names);
  };
  Project old = project("tool = a.cpp ; other = main.cpp");
  Project now = project("tool = a.cpp ; other = a.cpp main.cpp");
  RegisteredTests found =
      registeredTests(compare(old, now, names), old, now, names, {recorded("adds")});
  CHECK(found.added == std::vector<NewTest>{{"other", "adds", "a.cpp", 11}});
  CHECK(found.reregistered == std::vector<std::string>{"other"});
}
