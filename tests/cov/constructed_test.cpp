#include "cov/matrix_builder.h"
#include "graph/link_program.h"
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// Who makes complete objects of a class: test a was everywhere in f(), test b in g().
std::string makersOf(llvm::StringRef type, const std::string &source) {
  ExtractedUnit unit = extracted(source);
  std::vector<UnitGraph> graphs;
  graphs.push_back(std::move(unit.record.graph));
  Project project = linkProject(std::move(graphs), {}, unit.names);
  std::vector<RecordedTest> tests(2);
  tests[0].name = "a";
  tests[1].name = "b";
  for (RecordedTest &test : tests)
    test.programs = {unit.names.text(project.programs.front().name).str()};
  MatrixBuilder builder(project, unit.names, tests);
  for (std::uint32_t id = 0; id < project.functions.size(); ++id) {
    const Function &function = project.functions[id];
    if (!function.isImplicit && !function.isExternal)
      builder.addProbed({id});
    for (std::uint32_t test = 0; test < tests.size(); ++test)
      if (unit.names.text(function.name) == (test == 0 ? "f()" : "g()"))
        builder.addCrossed({id}, llvm::BitVector(function.flow.edges.size(), true), {test});
  }
  CoverageMatrix matrix = builder.finish();
  std::string text;
  for (const ClassCoverage &coverage : matrix.constructed)
    if (coverage.name == type)
      for (TestId test : matrix.classes[coverage.constructed.value])
        text += matrix.tests[test.value].name;
  return text.empty() ? "-" : text;
}

} // namespace

TEST_CASE("constructed: one row per way in which C++ makes objects") {
  struct Row {
    std::string what;
    const char *type;
    std::string source, makers;
  };
  const std::string shapes = "struct A { virtual int m() const { return 1; } };\n";
  const std::string holder = shapes + "struct Holder { constexpr Holder() : part() {} A part; };\n";
  const Row rows[] = {
      {"where a local is declared", "A",
       shapes + "int f() { A a; return a.m(); }\nint g() { return 1; }", "a"},
      {"a global that has its value from the start", "A",
       shapes + "A object;\nint f() { return object.m(); }\nint g() { return 1; }", "ab"},
      {"an array of them", "A",
       shapes + "const A objects[2] = {};\nint f() { return objects[1].m(); }", "ab"},
      {"what a global refers to", "A",
       shapes + "const A &object = A();\nint f() { return object.m(); }", "ab"},
      {"a member, by a constructor that only the compiler runs", "A",
       holder + "Holder object;\nint f() { return object.part.m(); }", "ab"},
      {"by a function that only the compiler runs", "A",
       shapes + "constexpr A make() { return A(); }\nconst A object = make();\n"
                "int f() { return object.m(); }",
       "ab"},
      {"in a local constant, by a constructor that only the compiler runs", "A",
       holder + "int f() { const Holder object; return object.part.m(); }", "ab"},
      {"by an initialiser that runs before main", "A",
       shapes + "int h();\nstruct Late { A part; int x = h(); };\nLate object;\n"
                "int f() { return 1; }\nint g() { return 1; }",
       "ab"},
      {"a base of a complete object is none", "B",
       shapes + "struct B : A { int x = 1; };\nstruct D : B {};\n"
                "int f() { D d; return d.m(); }",
       "-"},
      {"but for what the initialiser of a member calls", "B",
       shapes + "struct B : A { int x = m(); };\nstruct D : B {};\n"
                "int f() { D d; return d.m(); }",
       "a"},
      {"or a member that is told where it lives", "B",
       shapes + "struct Part { Part(A *); };\nstruct B : A { Part part{this}; };\n"
                "struct D : B {};\nint f() { D d; return d.m(); }",
       "a"},
      {"or a constructor that is written", "B",
       shapes + "struct B : A { B() { m(); } };\nstruct D : B {};\n"
                "int f() { D d; return d.m(); }",
       "a"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(makersOf(row.type, row.source) == row.makers);
  }
}
