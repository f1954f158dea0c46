#include "select/carry_skipped.h"

#include "diff/compare.h"
#include "graph/link_program.h"
#include "tests/cov/recorded_by_hand.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// One unit of `tool`, with a function f() and registrations on the lines 11, 21, ... of a.cpp.
Project projectWith(llvm::StringRef text, Names &names) {
  UnitGraph graph = unit("a.cpp", text, names);
  for (Function &function : graph.functions) {
    llvm::StringRef name = names.text(function.name);
    if (!name.consume_front("register "))
      continue;
    function.kind = FunctionKind::Initialiser;
    function.isTestRegistration = true;
    function.registeredTest = name.str();
  }
  std::vector<UnitGraph> units;
  units.push_back(std::move(graph));
  return linkProject(std::move(units), programPlan("tool = a.cpp", names), names);
}

const char *const kBefore = "strong f(): in -> x ; x -T-> t ; t -> out ; x -F-> out\n"
                            "internal register kept: in -> out\n"
                            "internal register new: in -> out";
const char *const kAfter = "strong f(): in -> x ; x -T-> u ; u -> out ; x -F-> out\n"
                           "strong g(): in -> out\n"
                           "internal register kept: in -> out\n"
                           "internal register new: in -> out";

struct Run {
  Names names;
  Project baseline = projectWith(kBefore, names), current = projectWith(kAfter, names);
  Delta delta = compare(baseline, current, names);
  CoverageMatrix recorded = matrixByHand(baseline, names,
                                         "tool::broken! f()*\n"
                                         "tool::gone: f()#0 + f()#2\n"
                                         "tool::kept: f()#0 + f()#2\n"
                                         "tool::lost: f()#0 + f()#1 + f()#3\n"
                                         "tool::off! f()\n"
                                         "tool::pending: f()#0 + f()#2\n"
                                         "tool::ran: f()#0 + f()#2\n");
  std::vector<TestVerdict> verdicts;
  std::vector<RecordedTest> tests;
  llvm::BitVector hasRun;
  CoverageMatrix matrix;

  Run() {
    for (RecordedTest &test : recorded.tests) {
      test.status = TestStatus::Passed;
      test.duration = std::chrono::microseconds(7);
      test.files = {{FileUseKind::Read, test.name + ".txt", {}}};
      Verdict verdict = test.name == "pending"     ? Verdict::Affected
                        : test.name == "ran"       ? Verdict::Affected
                        : test.name == "off"       ? Verdict::Disabled
                        : !test.unmeasured.empty() ? Verdict::Unmeasured
                                                   : Verdict::Skipped;
      verdicts.push_back({verdict, {}, {}});
    }
    for (const char *name : {"added", "broken", "kept", "lost", "off", "pending", "ran"}) {
      RecordedTest &test = tests.emplace_back();
      test.binary = "tool";
      test.name = name;
      test.unmeasured = "it did not run";
    }
    tests[4].status = TestStatus::Disabled;
    tests[6].status = TestStatus::Failed;
    tests[6].unmeasured = "";
    hasRun.resize(tests.size());
    hasRun.set(6);
  }

  void carry(const llvm::StringSet<> &unbuilt) {
    RecordedProgram program{
        &current, &names, [](llvm::StringRef path) { return path.str(); }, {true}};
    CoverageCollector collector(std::move(program));
    llvm::cantFail(carrySkipped({recorded, verdicts, baseline, current, names, delta, unbuilt},
                                hasRun, tests, collector));
    matrix = collector.finish(tests);
  }
};

} // namespace

TEST_CASE("carry skipped: what becomes of each test") {
  Run run;
  llvm::StringSet<> unbuilt;
  unbuilt.insert("tool");
  run.carry(unbuilt);
  struct Row {
    const char *name;
    TestStatus status;
    const char *unmeasured;
    bool hasFiles;
  };
  const Row rows[] = {
      {"added", TestStatus::NotRun, "it did not run", false},
      {"broken", TestStatus::Passed, "it did not run", true},
      {"kept", TestStatus::Passed, "", true},
      {"lost", TestStatus::Passed,
       "it did not run again, and it entered f(), which has changed where it ran", true},
      {"off", TestStatus::Disabled, "it did not run", false},
      {"pending", TestStatus::Passed, "it did not run", true},
      {"ran", TestStatus::Failed, "", false},
  };
  REQUIRE(run.matrix.tests.size() == std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    CAPTURE(rows[i].name);
    const RecordedTest &test = run.matrix.tests[i];
    CHECK(test.name == std::string(rows[i].name));
    CHECK(test.status == rows[i].status);
    CHECK(test.unmeasured == std::string(rows[i].unmeasured));
    CHECK(test.files.empty() != rows[i].hasFiles);
    CHECK((test.duration.count() == 7) == rows[i].hasFiles);
  }
  // kept, and none of the others; f() is the first function of the only unit.
  REQUIRE(run.matrix.units.size() == 1);
  REQUIRE(run.matrix.units[0].functions.at(0) == 0);
  CHECK((run.matrix.classes[run.matrix.units[0].rows[0].entry.value] ==
         std::vector<TestId>{TestId{2}}));
}

TEST_CASE("carry skipped: tests of programs that are not built stand on other lines now") {
  for (bool isBuilt : {true, false}) {
    CAPTURE(isBuilt);
    Run run;
    for (RecordedTest &test : run.tests) {
      test.file = "a.cpp";
      test.line = test.name == "kept" ? 11 : 12;
    }
    llvm::StringSet<> unbuilt;
    if (!isBuilt)
      unbuilt.insert("tool");
    run.carry(unbuilt);
    CHECK(run.tests[2].line == (isBuilt ? 11 : 21));
    CHECK(run.tests[5].line == 12); // there is no registration
  }
}

TEST_CASE("carry skipped: a test runs the libraries that its program has gained") {
  Names names;
  const UnitText units[] = {{"a.cpp", "strong f(): in -> out"}, {"b.cpp", "strong g(): in -> out"}};
  Project before = linked(units, "tool = a.cpp ; new.so = b.cpp", names);
  Project after = linked(units, "tool = a.cpp new.so ; new.so = b.cpp", names);
  CoverageMatrix recorded = matrixByHand(before, names, "tool::a: f()*");
  std::vector<RecordedTest> tests = recorded.tests;
  CoverageCollector collector(
      {&after, &names, [](llvm::StringRef path) { return path.str(); }, {true, true}});
  const TestVerdict isSkipped;
  llvm::cantFail(carrySkipped({recorded, isSkipped, before, after, names,
                               compare(before, after, names), llvm::StringSet<>()},
                              llvm::BitVector(1), tests, collector));
  CHECK(tests[0].programs == std::vector<std::string>{"new.so", "tool"});
}
