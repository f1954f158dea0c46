#include "graph/program_calls.h"

#include "tests/notation/program.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

struct Fixture {
  Names names;
  Project project;
  Fixture(std::initializer_list<UnitText> units, const char *plan = "")
      : project(linked(units, plan, names)) {}

  FunctionId at(const char *name, const char *unit = "") {
    return function(project, name, names, unit);
  }
};

} // namespace

TEST_CASE("calls: direct, external, through a pointer, and where they return to") {
  Fixture program({{"a.cpp", "strong f(): in -> call g() ; call g() => call puts() ; "
                             "call puts() => indirect p ; indirect p => out\n"
                             "strong g(): in -> call abort() ; call abort() ~> raise"}});
  ProgramCalls calls(program.project, program.project.programs[0], program.names);
  std::vector<CallEdge> edges = calls.callEdges(program.at("f()"));
  REQUIRE(edges.size() == 3);
  CHECK(
      edges[0] ==
      CallEdge{
          NodeId{2}, EdgeKind::Call, {}, program.names.find("g()"), program.at("g()"), NodeId{3}});
  CHECK(edges[1] ==
        CallEdge{NodeId{3}, EdgeKind::Call, {}, program.names.find("puts()"), {}, NodeId{4}});
  CHECK(edges[2] == CallEdge{NodeId{4}, EdgeKind::Call, {}, {}, {}, NodeId{1}});
  CHECK(!calls.callEdges(program.at("g()"))[0].returnsTo.isValid());
}

TEST_CASE("calls: an internal callee is that of the caller's unit") {
  const char *text = "internal f(): in -> out\ninternal g(): in -> call f() ; call f() => out";
  Fixture program({{"a.cpp", text}, {"b.cpp", text}});
  ProgramCalls calls(program.project, program.project.programs[0], program.names);
  CHECK(calls.callEdges(program.at("g()", "b.cpp"))[0].target == program.at("f()", "b.cpp"));
  REQUIRE(calls.callersOf(program.at("f()", "a.cpp")).size() == 1);
  CHECK(calls.callersOf(program.at("f()", "a.cpp"))[0].function == program.at("g()", "a.cpp"));
}

TEST_CASE("calls: every variant of the callee is a target, the chosen one first") {
  Fixture program({{"a.cpp", "weak f(): in -> x ; x -> out\n"
                             "strong main: in -> call f() ; call f() => out"},
                   {"b.cpp", "strong f(): in -> y ; y -> out"}},
                  "tool = a.cpp b.cpp");
  ProgramCalls calls(program.project, program.project.programs[0], program.names);
  std::vector<CallEdge> edges = calls.callEdges(program.at("main"));
  REQUIRE(edges.size() == 2);
  CHECK(edges[0].target == program.at("f()", "b.cpp"));
  CHECK(edges[1].target == program.at("f()", "a.cpp"));
}

TEST_CASE("calls: a virtual call has an edge for each receiver class, and each target knows it") {
  Fixture program({{"a.cpp", "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
                             "weak A::m(): in -> out\nweak B::m(): in -> out\n"
                             "strong f(): in -> virtual A: A::m() ; virtual A: A::m() => out"}});
  ProgramCalls calls(program.project, program.project.programs[0], program.names);
  std::vector<CallEdge> edges = calls.callEdges(program.at("f()"));
  REQUIRE(edges.size() == 2);
  CHECK(edges[0].kind == EdgeKind::VirtualCall);
  CHECK(edges[1].target == program.at("B::m()"));
  CHECK(program.names.text(program.project[edges[1].receiver].name) == "B");
  Caller caller{program.at("f()"), NodeId{2}, EdgeKind::VirtualCall};
  REQUIRE(calls.callersOf(program.at("B::m()")).size() == 1);
  CHECK(calls.callersOf(program.at("B::m()"))[0] == caller);
  CHECK(calls.callersOf(program.at("f()")).empty());
}

TEST_CASE("calls: a virtual call on a class that no unit shows goes to the static callee") {
  Fixture program({{"a.cpp", "strong f(): in -> virtual S: S::m() ; virtual S: S::m() => out"}});
  ProgramCalls calls(program.project, program.project.programs[0], program.names);
  std::vector<CallEdge> edges = calls.callEdges(program.at("f()"));
  REQUIRE(edges.size() == 1);
  CHECK(!edges[0].target.isValid());
  CHECK(edges[0].callee == program.names.find("S::m()"));
}
