#include "graph/external_code.h"

#include "tests/notation/program.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string entriesIn(const char *text) {
  Names names;
  Project project = linked({{"a.cpp", text}}, "", names);
  VirtualCalls calls(project, project.programs[0], names);
  std::string result;
  for (const ClassEntry &entry : externalCode(project, project.programs[0], calls, names).entries) {
    result += names.text(project[entry.ofClass].name).str() + ":";
    for (const ClassEntryEdge &edge : entry.edges)
      result += " " + names.text(edge.method).str() + " -> " +
                (edge.target.isValid() ? "" : "external ") + names.text(edge.overrider).str() + ",";
    result += " * ; ";
  }
  return result;
}

} // namespace

TEST_CASE("external code: one row per way into a class") {
  struct Row {
    std::string what;
    const char *unit;
    std::string entries;
  };
  const Row rows[] = {
      {"the paper's example",
       "external class A { A::foo(); A::bar() }\n"
       "class B : A { B::foo() overrides A::foo() }\nweak B::foo(): in -> out\n"
       "class C : B { C::bar() overrides A::bar() }\nweak C::bar(): in -> out",
       "B: A::foo() -> B::foo(), * ; C: A::bar() -> C::bar(), A::foo() -> B::foo(), * ; "},
      {"its new version: bar moves from C to B",
       "external class A { A::foo(); A::bar() }\n"
       "class B : A { B::foo() overrides A::foo(); B::bar() overrides A::bar() }\n"
       "weak B::foo(): in -> out\nweak B::bar(): in -> out\nclass C : B { }",
       "B: A::bar() -> B::bar(), A::foo() -> B::foo(), * ; "
       "C: A::bar() -> B::bar(), A::foo() -> B::foo(), * ; "},
      {"nothing overridden: the default edge alone",
       "external class A { A::foo() }\nclass B : A { }", "B: * ; "},
      {"no external base, or one without virtual methods: no entry",
       "class A { A::foo() }\nexternal class E { }\nclass B : A, E { B::foo() overrides A::foo() }",
       ""},
      {"an external override in between stays outside",
       "external class A { A::foo() }\nexternal class E : A { E::foo() overrides A::foo() }\n"
       "class B : E { B::foo() overrides E::foo() }\nclass C : E { }\nweak B::foo(): in -> out",
       "B: A::foo() -> B::foo(), E::foo() -> B::foo(), * ; C: * ; "},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(entriesIn(row.unit) == row.entries);
  }
}

TEST_CASE("external code: may call each function whose address is taken") {
  Names names;
  Project project =
      linked({{"a.cpp", "strong main: in -> address f() ; address f() -> address A::m() ; "
                        "address A::m() -> out\n"
                        "variable table: g()\ninternal g(): in -> out\nstrong f(): in -> out\n"
                        "strong unused(): in -> out\n"
                        "class A { A::m() }\nclass B : A { B::m() overrides A::m() }\n"
                        "strong A::m(): in -> out\nstrong B::m(): in -> out"},
              {"b.cpp", "internal g(): in -> out"}},
             "", names);
  VirtualCalls calls(project, project.programs[0], names);
  std::vector<FunctionId> expected = {
      function(project, "f()", names), function(project, "g()", names, "a.cpp"),
      function(project, "A::m()", names), function(project, "B::m()", names)};
  llvm::sort(expected);
  CHECK(externalCode(project, project.programs[0], calls, names).callbacks == expected);
}

TEST_CASE("roots: initialisers in link order, main, external code") {
  Names names;
  Project project =
      linked({{"a.cpp", "initialiser internal init: in -> out\nstrong main(int): in -> out"},
              {"b.cpp", "initialiser internal init: in -> out"}},
             "tool = b.cpp a.cpp", names);
  std::vector<Root> expected = {{RootKind::Initialiser, function(project, "init", names, "b.cpp")},
                                {RootKind::Initialiser, function(project, "init", names, "a.cpp")},
                                {RootKind::Main, function(project, "main(int)", names)},
                                {RootKind::ExternalCode, {}}};
  CHECK(rootsOf(project, project.programs[0], names) == expected);
}
