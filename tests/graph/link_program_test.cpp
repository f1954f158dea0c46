#include "graph/link_program.h"

#include "tests/notation/program.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

const char *kWant = "strong main: in -> call want() ; call want() => out";
const char *kPlain = "strong main: in -> out";

std::string definitionOf(const Project &project, const ProgramGraph &program, const char *name,
                         const Names &names) {
  const auto *definition = program.functions.find(names.find(name));
  if (!definition)
    return "";
  std::string text;
  for (const auto &variant : program.functions.variantsOf(*definition))
    text += (variant.entity == definition->chosen ? "*" : " ") +
            names.text(project[variant.unit].name).str() + " ";
  return text;
}

} // namespace

TEST_CASE("linking: which units are in the binary, one row per rule") {
  struct Row {
    std::string rule;
    const char *a, *b, *c, *plan;
    std::string program;
  };
  const Row rows[] = {
      {"objects always enter, in the order of the command", kPlain, "strong f(): in -> out",
       "strong g(): in -> out", "tool = c.cpp a.cpp b.cpp", "tool: c.cpp a.cpp b.cpp"},
      {"an archive member enters for a name that is wanted", kWant, "strong want(): in -> out",
       "strong g(): in -> out", "tool = a.cpp u.a ; u.a = b.cpp c.cpp", "tool: a.cpp b.cpp"},
      {"a member can want another member of its archive", kWant,
       "strong want(): in -> call g() ; call g() => out", "strong g(): in -> out",
       "tool = a.cpp u.a ; u.a = c.cpp b.cpp", "tool: a.cpp b.cpp c.cpp"},
      {"the whole archive enters when asked", kPlain, "strong f(): in -> out",
       "strong g(): in -> out", "tool = a.cpp +u.a ; u.a = b.cpp c.cpp", "tool: a.cpp b.cpp c.cpp"},
      {"an archive that comes before the reference: ld says no, lld says yes", kWant,
       "strong want(): in -> out", "", "tool = u.a a.cpp ; u.a = b.cpp", "tool: a.cpp b.cpp?"},
      {"main may come from an archive", "strong f(): in -> out", kPlain, "",
       "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp b.cpp"},
      {"a name that an object defines is not searched",
       "strong main: in -> call f() ; call f() => out\nstrong f(): in -> out",
       "strong f(): in -> out", "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp"},
      {"an inline function that the unit has itself is not searched",
       "strong main: in -> call f() ; call f() => out\nweak f(): in -> out", "weak f(): in -> out",
       "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp"},
      {"a wish of an inline function that nobody calls is only possible",
       "strong main: in -> out\nweak f(): in -> call want() ; call want() => out",
       "strong want(): in -> out", "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp b.cpp?"},
      {"an address taken and a variable used are wishes",
       "strong main: in -> address f() ; address f() -> use v ; use v -> out",
       "strong f(): in -> out", "variable v", "tool = a.cpp u.a ; u.a = b.cpp c.cpp",
       "tool: a.cpp b.cpp c.cpp"},
      {"the initialiser is code that surely runs",
       "strong main: in -> out\ninitialiser internal init: in -> call f() ; call f() => out",
       "strong f(): in -> out", "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp b.cpp"},
      {"constructing a class wants the method that carries its vtable",
       "strong main: in -> make C ; make C -> out\nclass C { C::m(); C::n() }",
       "strong C::m(): in -> out", "strong C::n(): in -> out",
       "tool = a.cpp u.a ; u.a = b.cpp c.cpp", "tool: a.cpp b.cpp c.cpp?"},
      {"a vtable made in the unit runs its methods: a test body in an unnamed namespace",
       "strong main: in -> make T ; make T -> out\n"
       "internal class T : Base { T::body() overrides Base::body() }\n"
       "internal T::body(): in -> call want() ; call want() => out",
       "strong want(): in -> out", "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp b.cpp"},
      {"a constructor or destructor that runs names the vtable of its class",
       "strong main: in -> call T::~T() ; call T::~T() => out\nweak T::~T(): in -> out\n"
       "class T { T::~T(); T::body() }\nweak T::body(): in -> call want() ; call want() => out",
       "strong want(): in -> out", "", "tool = a.cpp u.a ; u.a = b.cpp", "tool: a.cpp b.cpp"},
      {"shared libraries are loaded whole, after the program", kPlain, "strong f(): in -> out",
       "strong g(): in -> out", "tool = a.cpp base.so ; base.so = b.cpp next.so ; next.so = c.cpp",
       "tool: a.cpp | base.so: b.cpp | next.so: c.cpp"},
      {"a library from outside wants nothing", kPlain, "strong f(): in -> out", "",
       "tool = a.cpp -lz u.a ; u.a = b.cpp", "tool: a.cpp"},
      {"assembly may want anything", kPlain, "strong f(): in -> out", "",
       "tool = a.cpp x.S u.a ; u.a = b.cpp", "tool: a.cpp b.cpp?"},
      {"a unit that did not parse may want anything", kPlain, "strong f(): in -> out",
       "doubt did not parse", "tool = a.cpp c.cpp u.a ; u.a = b.cpp", "tool: a.cpp c.cpp b.cpp?"},
      {"an archive can ask for another archive", kWant,
       "strong want(): in -> call g() ; call g() => out", "strong g(): in -> out",
       "tool = a.cpp u.a ; u.a = b.cpp w.a ; w.a = c.cpp u.a", "tool: a.cpp b.cpp c.cpp"},
      {"without a plan all units are one program", kPlain, "", "", "", "all: a.cpp b.cpp c.cpp"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.rule);
    Names names;
    Project project =
        linked({{"a.cpp", row.a}, {"b.cpp", row.b}, {"c.cpp", row.c}}, row.plan, names);
    CHECK(show(project, project.programs[0], names) == row.program);
  }
}

TEST_CASE("linking: which definition is chosen, one row per rule") {
  struct Row {
    std::string rule;
    const char *a, *b, *c, *plan;
    std::string chosen;
    int doubts;
  };
  const Row rows[] = {
      {"strong before weak", "weak f(): in -> x ; x -> out", "strong f(): in -> y ; y -> out", "",
       "tool = a.cpp b.cpp", " a.cpp *b.cpp ", 0},
      {"the first weak one in link order", "weak f(): in -> x ; x -> out",
       "weak f(): in -> y ; y -> out", "", "tool = b.cpp a.cpp", "*b.cpp  a.cpp ", 0},
      {"two strong ones: the first, and a doubt", "strong f(): in -> x ; x -> out",
       "strong f(): in -> y ; y -> out", "", "tool = a.cpp b.cpp", "*a.cpp  b.cpp ", 1},
      {"the program before its libraries, even weak before strong", "weak f(): in -> x ; x -> out",
       "strong f(): in -> y ; y -> out", "", "tool = a.cpp base.so ; base.so = b.cpp",
       "*a.cpp  b.cpp ", 0},
      {"a fake beside an archive with the real one", "strong f(): in -> fake ; fake -> out",
       "strong f(): in -> real ; real -> out", "strong main: in -> call f() ; call f() => out",
       "tool = c.cpp a.cpp u.a ; u.a = b.cpp", "*a.cpp ", 0},
      {"what is surely there before what may be there",
       "weak g(): in -> call early() ; call early() => out\n"
       "strong main: in -> call h() ; call h() => out",
       "strong early(): in -> out\nstrong f(): in -> y ; y -> out",
       "strong h(): in -> out\nstrong f(): in -> z ; z -> out",
       "tool = a.cpp u.a ; u.a = b.cpp c.cpp", " b.cpp *c.cpp ", 0},
      {"a variable of a library is defined in no unit",
       "strong f(): in -> out\nexternal variable std::cout", "external variable std::cout", "",
       "tool = a.cpp b.cpp", "*a.cpp ", 0},
      {"internal names are not linked", "internal f(): in -> x ; x -> out",
       "strong f(): in -> y ; y -> out", "", "tool = a.cpp b.cpp", "*b.cpp ", 0},
      {"an input that nobody made is a doubt", "strong f(): in -> out", "", "",
       "tool = a.cpp gone.cpp gone.a gone.so", "*a.cpp ", 3},
  };
  for (const Row &row : rows) {
    CAPTURE(row.rule);
    Names names;
    Project project =
        linked({{"a.cpp", row.a}, {"b.cpp", row.b}, {"c.cpp", row.c}}, row.plan, names);
    CHECK(definitionOf(project, project.programs[0], "f()", names) == row.chosen);
    CHECK(project.programs[0].doubts.size() == row.doubts);
  }
}

TEST_CASE("linking: an equal function of many units is kept once, variants apart") {
  Names names;
  UnitGraph header = unit("box.h", "weak f(): in -> x ; x -> out\ninternal g(): in -> out", names);
  UnitGraph other = unit("box.h", "weak f(): in -> y ; y -> out", names);
  std::vector<UnitGraph> units(3, header);
  units.push_back(other);
  const char *unitNames[] = {"d.cpp", "b.cpp", "a.cpp", "c.cpp"};
  for (std::size_t index = 0; index < units.size(); ++index)
    units[index].name = names.intern(unitNames[index]);
  Project project = linkProject(units, {}, names);

  CHECK(project.functions.size() == 5); // f twice, and a g for each of three units
  CHECK(names.text(project.units[0].name) == "a.cpp");
  auto variants = project.programs[0].functions.entitiesOf(names.find("f()"));
  REQUIRE(variants.size() == 2);
  CHECK(unitsWith(project, project.programs[0], variants[0]).size() == 3);
  CHECK(unitsWith(project, project.programs[0], variants[1]).size() == 1);
}

TEST_CASE("linking: equal fingerprints at other positions are two functions") {
  Names names;
  UnitGraph a = unit("a.cpp", "weak f(): in -> x ; x -> out", names);
  UnitGraph b = unit("b.cpp", "weak f(): in -> x ; x -> out", names);
  CHECK(a.functions[0].fingerprint == b.functions[0].fingerprint);
  CHECK(linkProject({a, b}, {}, names).functions.size() == 2);
}

TEST_CASE("linking: a name means the unit's own function first") {
  Names names;
  Project project = linked({{"a.cpp", "internal f(): in -> out\nstrong main: in -> out"},
                            {"b.cpp", "internal f(): in -> out"},
                            {"c.cpp", "strong f(): in -> out"}},
                           "tool = a.cpp b.cpp c.cpp", names);
  auto meaning = [&](std::uint32_t unit) {
    return meaningsOf(project, project.programs[0], names.find("f()"), {UnitId{unit}});
  };
  CHECK(meaning(0)[0] == function(project, "f()", names, "a.cpp"));
  CHECK(meaning(1)[0] == function(project, "f()", names, "b.cpp"));
  CHECK(meaning(2)[0] == function(project, "f()", names, "c.cpp"));
  CHECK(meaning(0).size() == 1);
}

TEST_CASE("linking: a program for each executable and library, and for an archive on its own") {
  Names names;
  Project project =
      linked({{"a.cpp", kPlain}, {"b.cpp", ""}, {"c.cpp", ""}},
             "tool = a.cpp u.a ; u.a = b.cpp ; base.so = c.cpp ; alone.a = b.cpp", names);
  std::vector<std::string> programs;
  for (const ProgramGraph &program : project.programs)
    programs.push_back(names.text(program.name).str());
  CHECK(programs == std::vector<std::string>{"tool", "base.so", "alone.a"});
}

TEST_CASE("linking: a function knows the first program that contains it") {
  Names names;
  Project project = linked({{"a.cpp", "strong f(): in -> out"},
                            {"b.cpp", "internal g(): in -> out"},
                            {"c.cpp", "strong h(): in -> out"}},
                           "one = a.cpp ; two = b.cpp a.cpp", names);
  auto programOf = [&](const char *name) {
    const ProgramGraph *program = programWith(project, function(project, name, names));
    return program ? names.text(program->name).str() : "none";
  };
  CHECK(programOf("f()") == "one");
  CHECK(programOf("g()") == "two");
  CHECK(programOf("h()") == "(not linked)");
}
