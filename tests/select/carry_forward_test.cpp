#include "select/carry_forward.h"

#include "cov/coverage_collector.h"
#include "diff/compare.h"
#include "tests/cov/recorded_by_hand.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

using namespace retest;

namespace {

/// Units by name, as in RecordedByHand.
using Units = std::vector<std::pair<const char *, std::string>>;

Project linkedByHand(const Units &units, const char *plan, Names &names) {
  std::vector<UnitText> texts;
  for (const auto &[name, text] : units)
    texts.push_back({name, text.c_str()});
  return retest::linkedByHand(texts, plan, names);
}

/// A recording and what becomes of it at another version, none of whose programs is built.
struct Carried {
  Names names;
  Project baseline, current;
  CoverageMatrix recorded, matrix;
  std::string lost; ///< "a: why; b: why"

  /// Tests whose names begin with "gone" are not carried.
  Carried(const Units &before, const char *planBefore, const Units &after, const char *planAfter,
          const char *tests)
      : baseline(linkedByHand(before, planBefore, names)),
        current(linkedByHand(after, planAfter, names)),
        recorded(matrixByHand(baseline, names, tests)) {
    std::vector<TestId> ids;
    std::vector<RecordedTest> now;
    for (const RecordedTest &test : recorded.tests) {
      bool isCarried = test.unmeasured.empty() && test.name.rfind("gone", 0) != 0;
      ids.push_back(isCarried ? TestId{static_cast<std::uint32_t>(now.size())} : TestId{});
      if (isCarried)
        now.push_back(test);
    }
    CarriedForward carried = llvm::cantFail(
        carryForward(recorded, baseline, current, names, compare(baseline, current, names), ids));
    for (const LostTest &test : carried.lost) {
      now[test.test.value].unmeasured = test.reason;
      lost += (lost.empty() ? "" : "; ") + now[test.test.value].name + ": " + test.reason;
    }
    RecordedProgram program{&current, &names, [](llvm::StringRef path) { return path.str(); }, {}};
    for (const ProjectUnit &unit : current.units)
      program.isCounted.push_back(!names.text(unit.name).starts_with("uncounted"));
    CoverageCollector collector(std::move(program));
    for (const ProgramGraph &each : current.programs)
      for (NameId image : each.images)
        collector.addUnbuilt(names.text(image));
    collector.addCarried(std::move(carried.coverage));
    matrix = collector.finish(std::move(now));
  }

  /// Who did what: "f(): a b [0: a] [1: b]", line by line.
  std::string show(const CoverageMatrix &shown) const {
    auto testsOf = [&](CoverageClassId id) {
      std::string text;
      for (TestId test : shown.classes[id.value])
        text += " " + shown.tests[test.value].name;
      return text;
    };
    std::string text;
    for (const UnitCoverage &unit : shown.units)
      for (std::size_t i = 0; i < unit.rows.size(); ++i) {
        auto isUnit = [&](const ProjectUnit &each) { return names.text(each.name) == unit.unit; };
        const ProjectUnit &of = *llvm::find_if(current.units, isUnit);
        text += unit.unit + " " + names.text(current[of.functions[unit.functions[i]]].name).str();
        text += ":" + testsOf(unit.rows[i].entry);
        for (std::size_t edge = 0; edge < unit.rows[i].edges.size(); ++edge)
          text += " [" + std::to_string(edge) + ":" + testsOf(unit.rows[i].edges[edge]) + "]";
        text += "\n";
      }
    for (const ClassCoverage &type : shown.constructed)
      text += "makes " + type.name + ":" + testsOf(type.constructed) + "\n";
    return text;
  }
};

/// Edges 0 in -> x, 1 x -T-> t, 2 x -F-> out, 3 t -> out.
constexpr const char *kBranch = "in -> x ; x -T-> t ; t -> out ; x -F-> out";

struct Row {
  const char *edit;
  Units before, after;
  const char *tests;    ///< of the baseline
  const char *expected; ///< the same tests in a recording of the current version
  const char *planBefore = "tool = a.cpp b.cpp", *planAfter = planBefore;
};

} // namespace

TEST_CASE("carry forward: the matrix is that of a recording of the current version") {
  const std::string branch = std::string("strong f(): ") + kBranch;
  const std::string throughImplicit = "strong main(): in -> call g() ; call g() => out\n"
                                      "implicit g(): in -> out\n";
  const Row rows[] = {
      {"nothing",
       {{"a.cpp", branch}},
       {{"a.cpp", branch}},
       "tool::a: f()#0 + f()#2\ntool::b: f()*\ntool::c: f()",
       "tool::a: f()#0 + f()#2\ntool::b: f()*\ntool::c: f()"},
      {"the branch that a test does not take",
       {{"a.cpp", branch}},
       {{"a.cpp", "strong f(): in -> x ; x -T-> y ; y -> t ; t -> out ; x -F-> out"}},
       "tool::a: f()#0 + f()#2",
       "tool::a: f()#0 + f()#2"},
      {"edges get other numbers",
       {{"a.cpp", "strong f(): in -> x ; x -T-> t ; t -> out ; x -F-> e ; e -> out"}},
       {{"a.cpp", "strong f(): in -> x ; x -T-> n ; n -> m ; m -> out ; x -F-> e ; e -> out"}},
       "tool::a: f()#0 + f()#2 + f()#4",
       "tool::a: f()#0 + f()#2 + f()#5"},
      {"a call may throw now",
       {{"a.cpp", "strong f(): in -> x ; x -T-> t ; x -F-> call g() ; call g() => out"}},
       {{"a.cpp", "strong f(): in -> x ; x -T-> u ; x -F-> call g() ; call g() => out ;"
                  " call g() ~> cleanup h() ; cleanup h() => raise"}},
       "tool::a: f()#0 + f()#2 + f()#3",
       "tool::a: f()#0 + f()#2 + f()#3 + f()#4 + f()#5"},
      {"nodes that no edge leads to",
       {{"a.cpp", "strong f(): in -> x ; x -T-> t ; x -F-> out ; loose -> end ; end -> out"}},
       {{"a.cpp", "strong f(): in -> x ; x -T-> u ; x -F-> out ; loose -> end ; end -> out"}},
       "tool::a: f()#0 + f()#2 + f()#3 + f()#4",
       "tool::a: f()#0 + f()#2 + f()#3 + f()#4"},
      {"a function moves to another unit",
       {{"a.cpp", (branch + "\nstrong g(): in -> out")}, {"b.cpp", "strong h(): in -> out"}},
       {{"a.cpp", "strong g(): in -> out"}, {"b.cpp", (branch + "\nstrong h(): in -> out")}},
       "tool::a: f()#0 + f()#2 + g()*\ntool::b: h()*",
       "tool::a: f()#0 + f()#2 + g()*\ntool::b: h()*"},
      {"with a lambda of its own",
       {{"a.cpp", "strong f(): in -> call f()::lambda() ; call f()::lambda() => out\n"
                  "internal f()::lambda(): in -> one ; one -> out"},
        {"b.cpp", "strong h(): in -> out"}},
       {{"a.cpp", "strong g(): in -> out"},
        {"b.cpp", "strong f(): in -> call f()::lambda() ; call f()::lambda() => out\n"
                  "internal f()::lambda(): in -> one ; one -> out\nstrong h(): in -> out"}},
       "tool::a: f()* + f()::lambda()*",
       "tool::a: f()* + f()::lambda()*"},
      {"a function becomes internal",
       {{"a.cpp",
         "strong main(): in -> call f() ; call f() => out\nstrong f(): in -> one ; one -> out"}},
       {{"a.cpp",
         "strong main(): in -> call f() ; call f() => out\ninternal f(): in -> one ; one -> out"}},
       "tool::a: main()* + f()*",
       "tool::a: main()* + f()*"},
      {"a unit is renamed, its internal functions come along",
       {{"a.cpp", "strong main(): in -> call h() ; call h() => out\ninternal h(): in -> out"}},
       {{"c.cpp", "strong main(): in -> call h() ; call h() => out\ninternal h(): in -> out"}},
       "tool::a: main()* + h()*",
       "tool::a: main()* + h()*",
       "tool = a.cpp b.cpp",
       "tool = c.cpp b.cpp"},
      {"internal functions of one name stay apart",
       {{"a.cpp", "internal h(): in -> one ; one -> out\nstrong f(): in -> out"},
        {"b.cpp", "internal h(): in -> one ; one -> out\nstrong g(): in -> out"}},
       {{"a.cpp", "internal h(): in -> one ; one -> out\nstrong f(): in -> out"},
        {"b.cpp", "internal h(): in -> one ; one -> out\nstrong g(): in -> two ; two -> out"}},
       "tool::a: h()* + f()*",
       "tool::a: h()* + f()*"},
      {"an inline function lives in another unit",
       {{"a.cpp", "weak i(): in -> one ; one -> out"},
        {"b.cpp",
         "weak i(): in -> one ; one -> out\nstrong g(): in -> call i() ; call i() => out"}},
       {{"a.cpp", "strong other(): in -> out"},
        {"b.cpp",
         "weak i(): in -> one ; one -> out\nstrong g(): in -> call i() ; call i() => out"}},
       "tool::a: g()* + i()*",
       "tool::a: g()* + i()*"},
      {"what follows for functions without counters is worked out again",
       {{"a.cpp", (throughImplicit + "strong f(): in -> one ; one -> out\nvariable v: g()")}},
       {{"a.cpp", (throughImplicit + "strong f(): in -> two ; two -> out")}},
       "tool::a: main()*\ntool::b: main()\ntool::c! f()*",
       "tool::a: main()*\ntool::b: main()"},
      {"and so are the classes that were constructed",
       {{"a.cpp",
         "strong f(): in -> make C ; make C -> out\nstrong g(): in -> out\nvariable v: make C"}},
       {{"a.cpp", "strong f(): in -> make C ; make C -> out\nstrong g(): in -> out"}},
       "tool::a: f()*\ntool::b: g()*",
       "tool::a: f()*\ntool::b: g()*"},
      {"a test is gone, so that others have its number",
       {{"a.cpp", branch}},
       {{"a.cpp", branch}},
       "tool::b: f()#0 + f()#2\ntool::gone: f()*\ntool::last: f()*",
       "tool::b: f()#0 + f()#2\ntool::last: f()*"},
      {"a new unit, with a function that nobody enters",
       {{"a.cpp", branch}},
       {{"a.cpp", branch},
        {"b.cpp", "strong main(): in -> call n() ; call n() => out\nstrong n(): in -> out"}},
       "tool::a: f()*",
       "tool::a: f()*"},
  };
  for (const Row &row : rows) {
    CAPTURE(std::string(row.edit));
    Carried carried(row.before, row.planBefore, row.after, row.planAfter, row.tests);
    CHECK(carried.lost == "");
    CoverageMatrix fresh = matrixByHand(carried.current, carried.names, row.expected);
    CHECK(carried.show(carried.matrix) == carried.show(fresh));
  }
}

TEST_CASE("carry forward: a test that entered what has no counterpart is lost, with all it did") {
  const std::string others = "\nstrong g(): in -> out";
  Carried gone({{"a.cpp", std::string("strong f(): ") + kBranch + others}}, "tool = a.cpp",
               {{"a.cpp", others}}, "tool = a.cpp", "tool::a: f()#0 + g()*\ntool::b: g()*");
  CHECK(gone.lost == "a: it did not run again, and it entered f(), which is not there any more");
  CHECK(gone.show(gone.matrix) == "a.cpp g(): b [0: b]\n");
  Carried changed({{"a.cpp", std::string("strong f(): ") + kBranch}}, "tool = a.cpp",
                  {{"a.cpp", "strong f(): in -> x ; x -T-> u ; u -> out ; x -F-> out"}},
                  "tool = a.cpp", "tool::a: f()#0 + f()#1 + f()#3\ntool::b: f()#0 + f()#2");
  CHECK(changed.lost ==
        "a: it did not run again, and it entered f(), which has changed where it ran");
  CHECK(changed.show(changed.matrix) == "a.cpp f(): b [0: b] [1:] [2: b] [3:]\n");
}

TEST_CASE("carry forward: variants of a name") {
  const std::string branch = std::string("weak i(): ") + kBranch;
  const char *other = "weak i(): in -> x ; x -T-> t2 ; t2 -> out ; x -F-> out";
  // Which copy runs is not known from now on.
  Carried added({{"a.cpp", branch}}, "tool = a.cpp b.cpp", {{"a.cpp", branch}, {"b.cpp", other}},
                "tool = a.cpp b.cpp", "tool::a: i()#0 + i()#2");
  CHECK(added.lost == "");
  CHECK(added.show(added.matrix) == "a.cpp i(): a [0: a] [1: a] [2: a] [3: a]\n"
                                    "b.cpp i(): a [0: a] [1: a] [2: a] [3: a]\n");
  // What was told apart stays apart.
  Carried same({{"a.cpp", branch}, {"b.cpp", other}}, "tool = a.cpp b.cpp",
               {{"a.cpp", branch}, {"b.cpp", std::string(other) + "\nstrong n(): in -> out"}},
               "tool = a.cpp b.cpp", "tool::a: i()#0 + i()#2");
  CHECK(same.show(same.matrix) == "a.cpp i(): a [0: a] [1:] [2: a] [3:]\n");
}

TEST_CASE("carry forward: what a name means depends on the program") {
  const char *plan = "fake = main.cpp fake.cpp ; tool = main.cpp a.cpp";
  const std::string main = "strong f(): in -> out";
  const std::string real = "strong g(): in -> one ; one -> out";
  Carried carried(
      {{"a.cpp", real}, {"fake.cpp", "strong g(): in -> zero ; zero -> out"}, {"main.cpp", main}},
      plan,
      {{"a.cpp", real + "\nstrong h(): in -> out"},
       {"fake.cpp", "strong g(): in -> none ; none -> out"},
       {"main.cpp", main}},
      plan, "fake::a: f()*\ntool::b: f()* + g()*");
  CHECK(carried.lost == "");
  CHECK(carried.show(carried.matrix) == "a.cpp g(): b [0: b] [1: b]\nmain.cpp f(): a b [0: a b]\n");
}

TEST_CASE("carry forward: a recording that does not tell what has counters") {
  RecordedByHand old({{"a.cpp", "strong f(): in -> out"}}, "tool = a.cpp", "tool::a: f()*");
  CoverageMatrix matrix = old.matrix;
  for (UnitCoverage &unit : matrix.units)
    unit.counted.clear();
  auto refused = carryForward(matrix, old.project, old.project, old.names, {}, {TestId{0}});
  REQUIRE(!refused);
  CHECK(llvm::toString(refused.takeError()) ==
        "the baseline does not tell which functions have counters; record it again");
  matrix = old.matrix;
  matrix.units.front().rows.front().edges.clear();
  refused = carryForward(matrix, old.project, old.project, old.names, {}, {TestId{0}});
  REQUIRE(!refused);
  CHECK(llvm::toString(refused.takeError()) == "a.cpp: its coverage does not fit its functions");
}
