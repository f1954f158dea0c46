#include "cov/unprobed_functions.h"

#include "tests/cov/recorded_by_hand.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("without probes: one row per way that leads to a function") {
  struct Row {
    std::string what;
    const char *functions, *tests, *asked;
    std::string who;
  };
  const Row rows[] = {
      {"called: the tests of the node that calls it",
       "strong main(): in -> x ; x -T-> call g() ; call g() => out ; x -F-> out\n"
       "external weak g(): in -> out",
       "tool::a: main()#0 + main()#1 + main()#3\n"
       "tool::b: main()#0 + main()#2",
       "g()", "a"},
      {"called by several: the tests of all of them",
       "strong f(): in -> call g() ; call g() => out\n"
       "strong h(): in -> call g() ; call g() => out\n"
       "external weak g(): in -> out",
       "tool::a: f()*\ntool::b: h()*\ntool::c: f()", "g()", "a b"},
      {"called by functions without probes: the tests of whoever leads to those",
       "strong main(): in -> call g() ; call g() => out\n"
       "external weak g(): in -> call h() ; call h() => out\n"
       "implicit h(): in -> out",
       "tool::a: main()*\ntool::b: main()", "h()", "a"},
      {"in a cycle: whoever enters it anywhere gets to all of it",
       "strong first(): in -> call g() ; call g() => out\n"
       "strong second(): in -> call h() ; call h() => out\n"
       "external weak g(): in -> call h() ; call h() => out\n"
       "external weak h(): in -> call g() ; call g() => out",
       "tool::a: first()*\ntool::b: second()*\ntool::c: first()", "g()", "a b"},
      {"in a cycle that nobody is seen to enter: all tests",
       "external weak g(): in -> call h() ; call h() => out\n"
       "external weak h(): in -> call g() ; call g() => out\n"
       "strong main(): in -> out",
       "tool::a: main()*\ntool::b: main()*", "h()", "a b"},
      {"nobody is seen to call it: all tests",
       "external weak g(): in -> out\nstrong main(): in -> out",
       "tool::a: main()*\ntool::b: main()*", "g()", "a b"},
      {"done in place, so that nobody has to call it: none",
       "in place g(): in -> out\nstrong main(): in -> out", "tool::a: main()*", "g()", "-"},
      {"done in place, and its address is taken: the tests of the node that takes it",
       "strong f(): in -> address g() ; address g() -> out\n"
       "in place g(): in -> out\nstrong main(): in -> out",
       "tool::a: f()*\ntool::b: main()", "g()", "a"},
      {"never emitted, and nobody is seen to call it: none",
       "unemitted g(): in -> out\nstrong main(): in -> out", "tool::a: main()*", "g()", "-"},
      {"never emitted, but called: there may be another copy",
       "strong f(): in -> call g() ; call g() => out\nunemitted g(): in -> out\n"
       "strong main(): in -> out",
       "tool::a: f()*\ntool::b: main()*", "g()", "a"},
      {"only called by what was never emitted: all tests, as if nobody called it",
       "unemitted g(): in -> call h() ; call h() => out\nexternal weak h(): in -> out\n"
       "strong main(): in -> out",
       "tool::a: main()*\ntool::b: main()*", "h()", "a b"},
      {"its only caller never ran: none",
       "strong idle(): in -> call g() ; call g() => out\n"
       "external weak g(): in -> call h() ; call h() => out\n"
       "external weak h(): in -> out\nstrong main(): in -> out",
       "tool::a: main()*", "h()", "-"},
      {"its address is taken: the tests of the node that takes it",
       "strong main(): in -> x ; x -T-> address g() ; address g() -> out ; x -F-> out\n"
       "external weak g(): in -> out",
       "tool::a: main()#0 + main()#1 + main()#3\n"
       "tool::b: main()#0 + main()#2",
       "g()", "a"},
      {"its address is taken where there are no probes",
       "strong main(): in -> call f() ; call f() => out\n"
       "external weak f(): in -> address g() ; address g() -> out\n"
       "external weak g(): in -> out",
       "tool::a: main()*\ntool::b: main()", "g()", "a"},
      {"its address is in a table, which anybody may read: all tests",
       "strong main(): in -> x ; x -T-> call g() ; call g() => out ; x -F-> out\n"
       "variable table: g()\nexternal weak g(): in -> out",
       "tool::a: main()#0 + main()#2\ntool::b: main()*", "g()", "a b"},
      {"an initialiser calls it: all tests",
       "initialiser init of a.cpp: in -> call g() ; call g() => out\n"
       "strong main(): in -> call g() ; call g() => out\n"
       "external weak g(): in -> out",
       "tool::a: main()\ntool::b: main()*", "g()", "a b"},
      {"an initialiser itself: all tests",
       "initialiser init of a.cpp: in -> out\nstrong main(): in -> out",
       "tool::a: main()\ntool::b: main()*", "init of a.cpp", "a b"},
      {"an initialiser that somebody calls as well, as of a thread: all tests",
       "initialiser init of a.cpp: in -> out\n"
       "strong main(): in -> call init of a.cpp ; call init of a.cpp => out",
       "tool::a: main()\ntool::b: main()*", "init of a.cpp", "a b"},
      {"a destructor: whoever constructs the object, wherever it ends",
       "strong f(): in -> make A ; make A -> out\nstrong main(): in -> out\n"
       "implicit A::~A(): in -> out",
       "tool::a: f()*\ntool::b: main()*", "A::~A()", "a"},
      {"a destructor that is not virtual: not who constructs a derived object",
       "class A { }\nclass B : A { }\n"
       "strong f(): in -> make A ; make A -> out\n"
       "strong h(): in -> make B ; make B -> out\n"
       "implicit A::~A(): in -> out",
       "tool::a: f()*\ntool::b: h()*", "A::~A()", "a"},
      {"a virtual method: whoever constructs an object of the class or a derived one",
       "class A { A::m() }\nclass B : A { }\nclass C : B { }\n"
       "strong f(): in -> make A ; make A -> out\n"
       "strong h(): in -> make C ; make C -> out\nstrong main(): in -> out\n"
       "external weak A::m(): in -> out",
       "tool::a: f()*\ntool::b: h()*\ntool::c: main()*", "A::m()", "a b"},
      {"a virtual method: whoever calls it on an object that came from elsewhere",
       "class A { A::m() }\n"
       "strong main(): in -> virtual A: A::m() ; virtual A: A::m() => out\n"
       "external weak A::m(): in -> out",
       "tool::a: main()*\ntool::b: main()", "A::m()", "a"},
      {"a virtual method of an object that is there from the start: all tests",
       "class A { A::m() }\nvariable v: make A\nexternal weak A::m(): in -> out\n"
       "strong main(): in -> x ; x -T-> virtual A: A::m() ; virtual A: A::m() => out ; x -F-> out",
       "tool::a: main()*\ntool::b: main()", "A::m()", "a b"},
      {"an object that is constructed where there are no probes",
       "class A { A::m() }\nstrong main(): in -> call f() ; call f() => out\n"
       "external weak f(): in -> make A ; make A -> out\n"
       "external weak A::m(): in -> out",
       "tool::a: main()*\ntool::b: main()", "A::m()", "a"},
      {"a cleanup, when an exception passes",
       "strong main(): in -> call f() ; call f() => out ; call f() ~> cleanup A::~A() ;"
       " cleanup A::~A() ~> raise\n"
       "implicit A::~A(): in -> out\nstrong f(): in -> out",
       "tool::a: main()#0 + main()#2\ntool::b: main()#0 + main()#1", "A::~A()", "a"},
      {"tests that were not measured are in no set",
       "external weak g(): in -> out\nstrong main(): in -> out",
       "tool::a: main()*\ntool::b! main()*", "g()", "a"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    RecordedByHand recorded({{"a.cpp", row.functions}}, "tool = a.cpp", row.tests);
    CHECK(recorded.who(row.asked) == row.who);
  }
}

TEST_CASE("without probes: what no caller explains belongs to the tests of its own program") {
  const UnitText units[] = {{"a.cpp", "strong main(): in -> out\nexternal weak g(): in -> out\n"
                                      "initialiser init of a.cpp: in -> out"},
                            {"b.cpp", "strong main(): in -> out"}};
  RecordedByHand recorded(units, "one = a.cpp ; two = b.cpp",
                          "one::a: main()\none::b: main()\ntwo::c: main()");
  CHECK(recorded.who("g()") == "a b");
  CHECK(recorded.who("init of a.cpp") == "a b");
}

TEST_CASE("without probes: a caller in one program does not explain it in another") {
  const UnitText units[] = {{"a.cpp", "strong main(): in -> call g() ; call g() => out\n"
                                      "external weak g(): in -> out"},
                            {"b.cpp", "strong main(): in -> out\nexternal weak g(): in -> out"}};
  RecordedByHand recorded(units, "one = a.cpp ; two = b.cpp",
                          "one::a: main()*\none::b: main()\ntwo::c: main()");
  CHECK(recorded.who("g()") == "a c");
}

TEST_CASE("without probes: what counters of another copy saw is not forgotten") {
  // f() is called in a way that no graph shows, and that copy of it has counters.
  const UnitText units[] = {
      {"a.cpp", "strong main(): in -> out\nweak f(): in -> call g() ; call g() => out\n"
                "implicit g(): in -> out"},
      {"uncounted.cpp", "strong h(): in -> call f() ; call f() => out\n"
                        "weak f(): in -> call g() ; call g() => out\nimplicit g(): in -> out"},
      {"b.cpp", "strong other(): in -> call h() ; call h() => out"}};
  RecordedByHand recorded(units, "tool = a.cpp b.cpp uncounted.cpp",
                          "tool::a: other()*\ntool::b: main()* + f()*\ntool::c: main()*");
  CHECK(recorded.who("f()") == "a b");
  CHECK(recorded.who("g()") == "a b");
}
