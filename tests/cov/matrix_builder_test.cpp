#include "cov/matrix_builder.h"

#include "tests/cov/recorded_by_hand.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// A branch: edges 0 in -> x, 1 x -T-> t, 2 x -F-> out, 3 t -> out.
constexpr const char *kBranch = "in -> x ; x -T-> t ; t -> out ; x -F-> out";

RecordedByHand oneUnit(const std::string &functions, const char *tests) {
  return RecordedByHand({{"a.cpp", functions.c_str()}}, "tool = a.cpp", tests);
}

} // namespace

TEST_CASE("matrix: each edge has the tests that crossed it, the entry those of all edges") {
  RecordedByHand recorded =
      oneUnit(std::string("strong f(): ") + kBranch, "tool::a: f()#0 + f()#1 + f()#3\n"
                                                     "tool::b: f()#0 + f()#2\n"
                                                     "tool::c: f()");
  CHECK(recorded.who("f()") == "a b c");
  CHECK(recorded.who("f()", 0) == "a b");
  CHECK(recorded.who("f()", 1) == "a");
  CHECK(recorded.who("f()", 2) == "b");
}

TEST_CASE("matrix: each set of tests is kept once, the empty one as number 0") {
  RecordedByHand recorded =
      oneUnit(std::string("strong f(): ") + kBranch + "\nstrong g(): " + kBranch +
                  "\nstrong h(): in -> make C ; make C -> out",
              "tool::a: f()#0 + f()#1 + g()* + h()*\n"
              "tool::b: f()#0 + g()#0");
  using Sets = std::vector<std::vector<TestId>>;
  Sets sets = recorded.matrix.classes;
  CHECK(sets.front().empty());
  std::sort(sets.begin(), sets.end());
  CHECK(sets == Sets{{}, {TestId{0}}, {TestId{0}, TestId{1}}});
  CHECK(recorded.who("f()", 2) == "-"); // crossed by nobody
}

TEST_CASE("matrix: a function that nobody entered is not in it") {
  RecordedByHand recorded =
      oneUnit("strong f(): in -> out\nstrong idle(): in -> call g() ; call g() => out\n"
              "implicit g(): in -> out",
              "tool::a: f()*");
  CHECK(recorded.hasRow("f()"));
  CHECK(!recorded.hasRow("idle()"));
  CHECK(!recorded.hasRow("g()"));
}

TEST_CASE("matrix: a test that was not measured is in no set, whatever its counters say") {
  RecordedByHand recorded =
      oneUnit("strong f(): in -> make C ; make C -> out", "tool::a: f()*\ntool::b! f()*");
  CHECK(recorded.who("f()") == "a");
  CHECK(recorded.makers("C") == "a");
}

TEST_CASE("matrix: all edges of a function without probes have the tests that may have entered") {
  RecordedByHand recorded = oneUnit(std::string("implicit g(): ") + kBranch +
                                        "\nstrong main(): in -> call g() ; call g() => out",
                                    "tool::a: main()*\ntool::b: main()");
  for (int edge = -1; edge < 4; ++edge)
    CHECK(recorded.who("g()", edge) == "a");
}

TEST_CASE("matrix: a unit without counters has the tests of those who call it") {
  const UnitText units[] = {{"a.cpp", "strong main(): in -> call f() ; call f() => out\n"
                                      "weak shared(): in -> out"},
                            {"uncounted.cpp",
                             "strong f(): in -> call shared() ; call shared() => out\n"
                             "weak shared(): in -> out"}};
  RecordedByHand recorded(units, "tool = a.cpp uncounted.cpp", "tool::a: main()*\ntool::b: main()");
  CHECK(recorded.who("f()") == "a");
  // Whichever copy the linker kept: the calls of the other unit may not have been counted.
  CHECK(recorded.who("shared()") == "a");
}

TEST_CASE(
    "matrix: that one unit never emitted a function says nothing of a unit without counters") {
  const UnitText units[] = {{"a.cpp", "strong main(): in -> out\nunemitted hidden(): in -> out"},
                            {"uncounted.cpp", "unemitted hidden(): in -> out"}};
  RecordedByHand recorded(units, "tool = a.cpp uncounted.cpp", "tool::a: main()*\ntool::b: main()");
  CHECK(recorded.who("hidden()") == "a b");
}

TEST_CASE("constructed: one row per way to make objects") {
  struct Row {
    std::string what, functions;
    const char *tests, *asked;
    std::string makers;
  };
  // Test a makes a Base, b makes a Derived; the constructor of Derived runs that of Base.
  const std::string makers = "class Base { Base::m() }\nclass Derived : Base { }\n"
                             "strong f(): in -> make Base ; make Base -> out\n"
                             "strong g(): in -> make Derived ; make Derived -> out\n"
                             "implicit Derived::Derived(): in -> call Base::Base() ;"
                             " call Base::Base() => out\n";
  const char *tests = "tool::a: f()* + Base::Base()*\ntool::b: g()* + Base::Base()*\ntool::c: f()";
  const Row rows[] = {
      {"complete objects, not constructors that ran", makers + "strong Base::Base(): in -> out",
       tests, "Base", "a"},
      {"a constructor that calls something sees a Base in each Derived",
       makers + "strong Base::Base(): in -> virtual Base: Base::m() ;"
                " virtual Base: Base::m() => out",
       tests, "Base", "a b"},
      {"the same for a destructor",
       makers + "strong Base::Base(): in -> out\n"
                "strong Base::~Base(): in -> call close() ; call close() => out",
       tests, "Base", "a b"},
      {"but a Derived is never made of a Base",
       makers + "strong Base::Base(): in -> virtual Base: Base::m() ;"
                " virtual Base: Base::m() => out",
       tests, "Derived", "b"},
      {"a call further up counts for all classes in between",
       "class Top { Top::m() }\nclass Mid : Top { }\nclass Low : Mid { }\n"
       "strong g(): in -> make Low ; make Low -> out\n"
       "strong Top::Top(): in -> virtual Top: Top::m() ; virtual Top: Top::m() => out",
       "tool::a: g()*\ntool::b: g()", "Mid", "a"},
      {"the node that constructs, not the function",
       "strong f(): in -> x ; x -T-> make C ; make C -> out ; x -F-> out",
       "tool::a: f()#0 + f()#1 + f()#3\ntool::b: f()#0 + f()#2", "C", "a"},
      {"in a function without probes: whoever leads there",
       "strong main(): in -> call f() ; call f() => out\n"
       "external weak f(): in -> make C ; make C -> out",
       "tool::a: main()*\ntool::b: main()", "C", "a"},
      {"by an initialiser: all tests",
       "initialiser init of a.cpp: in -> make C ; make C -> out\nstrong main(): in -> out",
       "tool::a: main()*\ntool::b: main()*", "C", "a b"},
      {"by the value that a variable has from the start: all tests",
       "variable v: make C\nstrong main(): in -> out\nstrong f(): in -> make C ; make C -> out",
       "tool::a: main()*\ntool::b: f()*", "C", "a b"},
      {"an initialiser of a member calls something, in a constructor that nobody wrote",
       makers + "implicit Base::Base(): in -> virtual Base: Base::m() ;"
                " virtual Base: Base::m() => out",
       "tool::a: f()*\ntool::b: g()*", "Base", "a b"},
      {"a member that is told of its owner, in a constructor that nobody wrote",
       makers + "implicit Base::Base(): in -> call Part::Part(Base *) ;"
                " call Part::Part(Base *) => out",
       "tool::a: f()*\ntool::b: g()*", "Base", "a b"},
      {"a member of the project, which may have been told of its owner before it ends",
       makers + "strong Part::~Part(): in -> out\n"
                "implicit Base::~Base(): in -> call Part::~Part() ; call Part::~Part() => out",
       "tool::a: f()*\ntool::b: g()*", "Base", "a b"},
      {"members that are not told of it",
       makers + "implicit Base::Base(): in -> call n::Part<n::X>::Part() ;"
                " call n::Part<n::X>::Part() => call Top::Top(const Top &) ;"
                " call Top::Top(const Top &) => call Top::~Top() ; call Top::~Top() => out",
       "tool::a: f()*\ntool::b: g()*", "Base", "a"},
      {"by a constexpr function, which the compiler may have run: all tests",
       "constexpr f(): in -> make C ; make C -> out\nstrong main(): in -> out",
       "tool::a: f()*\ntool::b: main()*", "C", "a b"},
      {"a class that nobody made is not in the matrix",
       "strong f(): in -> make C ; make C -> out\nstrong main(): in -> out", "tool::a: main()*",
       "C", "-"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(oneUnit(row.functions, row.tests).makers(row.asked) == row.makers);
  }
}
