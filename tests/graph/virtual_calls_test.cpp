#include "graph/virtual_calls.h"

#include "tests/notation/program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

/// "A -> A::m() ; C -> C::m()"; `external` where the target has no body, `!` for a class that is
/// the receiver only during construction.
std::string show(const Project &project, const Dispatch &dispatch, const Names &names) {
  std::string text;
  for (const DispatchEdge &edge : dispatch.edges) {
    text += text.empty() ? "" : " ; ";
    text += names.text(project[edge.receiver].name).str();
    text += edge.isOnlyDuringConstruction ? "! -> " : " -> ";
    text += edge.target.isValid() ? "" : "external ";
    text += names.text(edge.method).str();
  }
  return text;
}

/// A unit with the classes, and a body for each of `bodies`.
std::string dispatchIn(const char *classes, const std::vector<const char *> &bodies,
                       const char *receiver, const char *method) {
  Names names;
  std::string text = classes;
  for (const char *body : bodies)
    text += fmt::format("\nweak {}: in -> out", body);
  Project project = linked({{"a.cpp", text.c_str()}}, "", names);
  VirtualCalls calls(project, project.programs[0], names);
  return show(project, calls.dispatch(names.find(receiver), names.find(method)), names);
}

} // namespace

TEST_CASE("virtual calls: one row per kind of hierarchy") {
  struct Row {
    std::string what;
    const char *classes;
    std::vector<const char *> bodies;
    const char *receiver, *method;
    std::string edges;
  };
  const Row rows[] = {
      {"the paper's internal call: A external, B inherits, C overrides",
       "external class A { A::m() }\nclass B : A { }\nclass C : B { C::m() overrides A::m() }",
       {"C::m()"},
       "A",
       "A::m()",
       "A -> external A::m() ; B -> external A::m() ; C -> C::m()"},
      {"its new version: the edge labelled B, and it alone, leads elsewhere",
       "external class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
       "class C : B { C::m() overrides B::m() }",
       {"B::m()", "C::m()"},
       "A",
       "A::m()",
       "A -> external A::m() ; B -> B::m() ; C -> C::m()"},
      {"only classes below the static receiver",
       "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
       "class C : A { C::m() overrides A::m() }",
       {"A::m()", "B::m()", "C::m()"},
       "B",
       "B::m()",
       "B -> B::m()"},
      {"a receiver that inherits the method",
       "class A { A::m() }\nclass B : A { }\nclass C : B { C::m() overrides A::m() }",
       {"A::m()", "C::m()"},
       "B",
       "A::m()",
       "B -> A::m() ; C -> C::m()"},
      {"an override of an override, asked at the top",
       "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
       "class C : B { C::m() overrides B::m() }\nclass D : C { }",
       {"A::m()", "B::m()", "C::m()"},
       "A",
       "A::m()",
       "A -> A::m() ; B -> B::m() ; C -> C::m() ; D -> C::m()"},
      {"a pure method: the class is a receiver only during construction",
       "abstract class A { pure A::m() }\nclass B : A { B::m() overrides A::m() }",
       {"B::m()"},
       "A",
       "A::m()",
       "A! -> external A::m() ; B -> B::m()"},
      {"a final method keeps the labels below it",
       "class A { A::m() }\nclass B : A { final B::m() overrides A::m() }\nclass C : B { }",
       {"A::m()", "B::m()"},
       "B",
       "B::m()",
       "B -> B::m() ; C -> B::m()"},
      {"a diamond with a virtual base: the overrider of one arm dominates",
       "class A { A::m() }\nclass B : virtual A { B::m() overrides A::m() }\n"
       "class C : virtual A { }\nclass D : B, C { }",
       {"A::m()", "B::m()"},
       "C",
       "A::m()",
       "C -> A::m() ; D -> B::m()"},
      {"the same without virtual: two subobjects, two answers",
       "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\nclass C : A { }\n"
       "class D : B, C { }",
       {"A::m()", "B::m()"},
       "A",
       "A::m()",
       "A -> A::m() ; B -> B::m() ; C -> A::m() ; D -> A::m() ; D -> B::m()"},
      {"one method that overrides those of two bases",
       "class A { A::m() }\nclass B { B::m() }\nclass C : A, B { C::m() overrides A::m(), B::m() }",
       {"A::m()", "B::m()", "C::m()"},
       "B",
       "B::m()",
       "B -> B::m() ; C -> C::m()"},
      {"a method of the same name in an unrelated base is none of ours",
       "class A { A::m() }\nclass B { B::m() }\nclass C : A, B { }",
       {"A::m()", "B::m()"},
       "A",
       "A::m()",
       "A -> A::m() ; C -> A::m()"},
      {"covariant overrides are overrides: identity decides, not the type",
       "class A { A::clone() }\nclass B : A { B::clone() overrides A::clone() }",
       {"A::clone()", "B::clone()"},
       "A",
       "A::clone()",
       "A -> A::clone() ; B -> B::clone()"},
      {"a destructor that the class does not declare still overrides",
       "class A { A::~A() }\nclass B : A { }\nclass C : B { }",
       {"A::~A()", "B::~B()"},
       "A",
       "A::~A()",
       "A -> A::~A() ; B -> B::~B() ; C -> B::~B()"},
      {"a method declared in a class that nobody shows",
       "class A : Hidden { }\nclass B : A { }",
       {},
       "A",
       "Hidden::m()",
       "A -> external Hidden::m() ; B -> external Hidden::m()"},
      {"bases that form a cycle through variants end the search",
       "class A : B { A::m() }\nclass B : A { }",
       {"A::m()"},
       "A",
       "A::m()",
       "A -> A::m() ; B -> A::m()"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    // Names that only the call mentions.
    std::string classes = std::string(row.classes) + "\nweak caller(): in -> virtual " +
                          row.receiver + ": " + row.method + " ; virtual " + row.receiver + ": " +
                          row.method + " => out";
    CHECK(dispatchIn(classes.c_str(), row.bodies, row.receiver, row.method) == row.edges);
  }
}

TEST_CASE("virtual calls: overriders come from any unit of the program, and from no other") {
  Names names;
  Project project =
      linked({{"a.cpp", "class A { A::m() }\nstrong A::m(): in -> out"},
              {"b.cpp", "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
                        "strong B::m(): in -> out"},
              {"c.cpp", "class A { A::m() }\nclass C : A { C::m() overrides A::m() }\n"
                        "strong C::m(): in -> out"}},
             "one = a.cpp b.cpp ; two = a.cpp c.cpp", names);
  auto inProgram = [&](std::size_t program) {
    VirtualCalls calls(project, project.programs[program], names);
    return show(project, calls.dispatch(names.find("A"), names.find("A::m()")), names);
  };
  CHECK(inProgram(0) == "A -> A::m() ; B -> B::m()");
  CHECK(inProgram(1) == "A -> A::m() ; C -> C::m()");
}

TEST_CASE("virtual calls: classes of internal linkage belong to their unit") {
  Names names;
  const char *text = "class A { A::m() }\nweak A::m(): in -> out\n"
                     "internal class X : A { X::m() overrides A::m() }\ninternal X::m(): in -> out";
  Project project = linked({{"a.cpp", text}, {"b.cpp", text}}, "", names);
  VirtualCalls calls(project, project.programs[0], names);
  CHECK(show(project, calls.dispatch(names.find("A"), names.find("A::m()")), names) ==
        "A -> A::m() ; A -> A::m() ; X -> X::m() ; X -> X::m()");
  const Dispatch &inB = calls.dispatch(names.find("X"), names.find("X::m()"), UnitId{1});
  REQUIRE(inB.edges.size() == 1);
  CHECK(inB.edges[0].target == function(project, "X::m()", names, "b.cpp"));
}

TEST_CASE("virtual calls: variants of a class all count") {
  Names names;
  Project project =
      linked({{"a.cpp", "class A { A::m() }\nclass B : A { }\nweak A::m(): in -> out"},
              {"b.cpp", "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
                        "weak B::m(): in -> out"}},
             "", names);
  VirtualCalls calls(project, project.programs[0], names);
  CHECK(show(project, calls.dispatch(names.find("A"), names.find("A::m()")), names) ==
        "A -> A::m() ; B -> A::m() ; B -> B::m()");
}

TEST_CASE("virtual calls: a thousand classes, wide and deep, are walked once per method") {
  for (bool isDeep : {false, true}) {
    CAPTURE(isDeep);
    Names names;
    std::string text = "class C0 { C0::m() }\n";
    for (int i = 1; i < 1000; ++i)
      text += fmt::format("class C{0} : C{1} {{ C{0}::m() overrides C{1}::m() }}\n", i,
                          isDeep ? i - 1 : 0);
    Project project = linked({{"a.cpp", text.c_str()}}, "", names);
    VirtualCalls calls(project, project.programs[0], names);
    const Dispatch &first = calls.dispatch(names.find("C0"), names.find("C0::m()"));
    CHECK(first.edges.size() == 1000);
    CHECK(&calls.dispatch(names.find("C0"), names.find("C0::m()")) == &first);
  }
}
