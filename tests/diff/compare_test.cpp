#include "diff/compare.h"
#include "tests/notation/program.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

namespace {

std::string nodeText(const FlowGraph &flow, NodeId id, const Names &names) {
  const Node &node = flow.nodes[id.value];
  if (node.call.callee.isValid())
    return "call " + names.text(node.call.callee).str();
  if (!node.uses.empty())
    return "use " + names.text(node.uses.front().entity).str();
  switch (node.kind) {
  case NodeKind::Entry:
    return "in";
  case NodeKind::Exit:
    return "out";
  default:
    return "n" + std::to_string(id.value);
  }
}

/// One line for each finding: "f(): in -> call g()", "f(): entered", "f(): call g() -C-> ",
/// "class C: m()", "class C: *", "program tool: Initialisers a.cpp".
std::string show(const Delta &delta, const Project &baseline, const Names &names) {
  std::vector<std::string> lines;
  auto text = [&](NameId name) { return names.text(name).str(); };
  auto programs = [&](const std::vector<std::uint32_t> &indices) {
    std::string list;
    for (std::uint32_t index : indices)
      list += (list.empty() ? " in " : ", ") + text(baseline.programs[index].name);
    return list;
  };
  for (const DangerousEdge &edge : delta.edges) {
    const Function &function = baseline[edge.function];
    std::string line = text(function.name) + ": ";
    if (edge.place == EdgePlace::Entry)
      line += "entered";
    if (edge.place == EdgePlace::Flow) {
      const FlowEdge &flow = function.flow.edges[edge.edge];
      line += nodeText(function.flow, flow.from, names) + " -> " +
              nodeText(function.flow, flow.to, names);
    }
    if (edge.place == EdgePlace::Call)
      line += nodeText(function.flow, edge.node, names) + " ->";
    if (edge.place == EdgePlace::VirtualCall)
      line += nodeText(function.flow, edge.node, names) + " -" + text(edge.receiver) + "->";
    lines.push_back(line + programs(edge.programs));
  }
  for (const DangerousClassEntry &entry : delta.classEntries)
    lines.push_back("class " + text(entry.type) + ": " +
                    (entry.method.isValid() ? text(entry.method) : "*"));
  for (const DangerousProgram &program : delta.programs)
    lines.push_back("program " + text(baseline.programs[program.program].name) + ": " +
                    text(program.reason.entity));
  return llvm::join(lines, "\n");
}

struct Version {
  std::vector<UnitText> units;
  const char *plan = "";
};

std::string dangerous(const Version &baseline, const Version &current, const Rules &rules = {}) {
  Names names;
  Project old = linked(baseline.units, baseline.plan, names);
  Project now = linked(current.units, current.plan, names);
  return show(compare(old, now, names, rules), old, names);
}

} // namespace

TEST_CASE("compare: the edges of one function") {
  CHECK(
      dangerous({{{"a.cpp", "strong f(): in -> x ; x -> out\nstrong g(): in -> y ; y -> out"}}},
                {{{"a.cpp", "strong f(): in -> x ; x -> out\nstrong g(): in -> z ; z -> out"}}}) ==
      "g(): in -> n2");
}

TEST_CASE("compare: functions that come, go or move are no danger by themselves") {
  Version baseline{
      {{"a.cpp", "strong f(): in -> x ; x -> out"}, {"b.cpp", "strong g(): in -> out"}}};
  CHECK(dangerous(baseline, baseline) == "");
  CHECK(dangerous(baseline, {{{"a.cpp", "strong f(): in -> x ; x -> out\nstrong h(): in -> out"},
                              {"b.cpp", "strong g(): in -> out"}}}) == "");
  CHECK(dangerous(baseline,
                  {{{"a.cpp", ""},
                    {"b.cpp", "strong g(): in -> out\nstrong f(): in -> x ; x -> out"}}}) == "");
  CHECK(dangerous(baseline, {{{"a.cpp", "strong f(): in -> x ; x -> out"}}}) == "");
  // A renamed file.
  CHECK(dangerous(baseline, {{{"c.cpp", "strong f(): in -> x ; x -> out"},
                              {"b.cpp", "strong g(): in -> out"}}}) == "");
}

TEST_CASE("compare: a moved function meets another internal function of the same name") {
  const char *caller = "strong f(): in -> call g() ; call g() => out\n";
  std::string same = std::string(caller) + "internal g(): in -> x ; x -> out";
  CHECK(
      dangerous({{{"a.cpp", same.c_str()}, {"b.cpp", "strong h(): in -> out"}}},
                {{{"a.cpp", "internal g(): in -> x ; x -> out"},
                  {"b.cpp", "strong h(): in -> out\nstrong f(): in -> call g() ; call g() => out\n"
                            "internal g(): in -> y ; y -> out"}}}) == "f(): in -> call g()");
}

TEST_CASE("compare: a name that the linker finds elsewhere, or no longer") {
  Version real{{{"a.cpp", "strong f(): in -> call g() ; call g() => out"},
                {"main.cpp", "strong main: in -> call f() ; call f() => out"}},
               "tool = main.cpp a.cpp"};
  Version faked{{{"a.cpp", "strong f(): in -> call g() ; call g() => out"},
                 {"main.cpp", "strong main: in -> call f() ; call f() => out"},
                 {"fake.cpp", "strong g(): in -> out"}},
                "tool = main.cpp a.cpp fake.cpp"};
  CHECK(dangerous(real, faked) == "f(): call g() ->");
  CHECK(dangerous(faked, real) == "f(): call g() ->");
  CHECK(dangerous(real, faked, Rules().without(Rule::Definitions)) == "");
}

TEST_CASE("compare: one of two binaries links another definition") {
  auto version = [](const char *plan) {
    return Version{{{"f.cpp", "strong f(): in -> call g() ; call g() => out"},
                    {"real.cpp", "strong g(): in -> x ; x -> out"},
                    {"fake.cpp", "strong g(): in -> y ; y -> out"},
                    {"m1.cpp", "strong main: in -> call f() ; call f() => out"},
                    {"m2.cpp", "strong main: in -> call f() ; call f() => out"}},
                   plan};
  };
  CHECK(dangerous(version("t1 = m1.cpp f.cpp real.cpp ; t2 = m2.cpp f.cpp real.cpp"),
                  version("t1 = m1.cpp f.cpp real.cpp ; t2 = m2.cpp f.cpp fake.cpp")) ==
        "g(): in -> n2 in t2");
}

TEST_CASE("compare: a change of any variant changes the name") {
  const char *one = "weak v(): in -> x ; x -> out";
  Version baseline{{{"a.cpp", one}, {"b.cpp", "weak v(): in -> y ; y -> out"}}};
  CHECK(dangerous(baseline, {{{"a.cpp", one}, {"b.cpp", "weak v(): in -> z ; z -> out"}}}) ==
        "v(): in -> n2\nv(): in -> n2");
  // The unit that shows it first loses: the other is chosen.
  CHECK(dangerous({{{"a.cpp", one}, {"b.cpp", one}}},
                  {{{"a.cpp", "strong f(): in -> out"}, {"b.cpp", one}}}) == "");
}

TEST_CASE("compare: the paper's internal calls") {
  const char *rest = "strong bar(A&): in -> virtual A: A::m() ; virtual A: A::m() => out\n"
                     "external class A { A::m() }\n"
                     "class C : B { C::m() overrides A::m() }\n"
                     "strong C::m(): in -> out\n";
  std::string before = std::string(rest) + "class B : A { }";
  std::string after =
      std::string(rest) + "class B : A { B::m() overrides A::m() }\nstrong B::m(): in -> out";
  CHECK(dangerous({{{"a.cpp", before.c_str()}}}, {{{"a.cpp", after.c_str()}}}) ==
        "bar(A&): call A::m() -B->\nclass B: *");
}

TEST_CASE("compare: the paper's calls from external code") {
  const char *rest = "external class A { A::foo(); A::bar() }\nstrong B::foo(): in -> out\n";
  std::string before = std::string(rest) + "class B : A { B::foo() overrides A::foo() }\n"
                                           "class C : B { C::bar() overrides A::bar() }\n"
                                           "strong C::bar(): in -> out";
  std::string after = std::string(rest) +
                      "class B : A { B::foo() overrides A::foo(); B::bar() overrides A::bar() }\n"
                      "class C : B { }\nstrong B::bar(): in -> out";
  CHECK(dangerous({{{"a.cpp", before.c_str()}}}, {{{"a.cpp", after.c_str()}}}) ==
        "class B: *\nclass C: A::bar()");
}

TEST_CASE("compare: initialisers run before every test") {
  const char *main = "strong main: in -> out";
  const char *plan = "tool = main.cpp a.cpp b.cpp";
  const char *a = "initialiser (a): in -> call x (initialiser) ; call x (initialiser) => out";
  const char *b = "initialiser (b): in -> call y (initialiser) ; call y (initialiser) => out";
  Version baseline{{{"main.cpp", main}, {"a.cpp", a}, {"b.cpp", b}}, plan};
  CHECK(dangerous(baseline, baseline) == "");
  CHECK(dangerous(baseline, {{{"main.cpp", main}, {"a.cpp", ""}, {"b.cpp", b}}, plan}) ==
        "program tool: a.cpp");
  CHECK(dangerous(baseline, {{{"main.cpp", main}, {"a.cpp", a}, {"b.cpp", b}},
                             "tool = main.cpp b.cpp a.cpp"}) == "program tool: a.cpp");
  CHECK(dangerous(baseline, {{{"main.cpp", main}, {"a.cpp", a}, {"b.cpp", b}},
                             "tool = main.cpp b.cpp"}) == "program tool: a.cpp");
}

TEST_CASE("compare: a variable that names a changed one is changed") {
  const char *user = "strong f(): in -> use p ; use p -> out\n"
                     "strong g(): in -> x ; x -> out\nvariable p: table\n";
  std::string before = std::string(user) + "variable table: one";
  std::string after = std::string(user) + "variable table: two";
  CHECK(dangerous({{{"a.cpp", before.c_str()}}}, {{{"a.cpp", after.c_str()}}}) ==
        "f(): in -> use p");
}

TEST_CASE("compare: a link input that is no unit") {
  const char *main = "strong main: in -> out";
  CHECK(dangerous({{{"main.cpp", main}}, "tool = main.cpp x.o"},
                  {{{"main.cpp", main}}, "tool = main.cpp y.o"}) ==
        "program tool: x.o\nprogram tool: y.o");
}

TEST_CASE("compare: a file compiled twice has the names of each unit for itself") {
  const char *reader = "strong f(): in -> use t ; use t -> out\ninternal variable t: ";
  auto version = [&](std::string first, std::string second) {
    first = reader + first, second = reader + second;
    const char *main = "strong main: in -> call f() ; call f() => out";
    return dangerous({{{"u.cpp@1", (reader + std::string("one")).c_str()},
                       {"u.cpp@2", (reader + std::string("one")).c_str()},
                       {"m.cpp", main}},
                      "one = m.cpp u.cpp@1 ; two = m.cpp u.cpp@2"},
                     {{{"u.cpp@1", first.c_str()}, {"u.cpp@2", second.c_str()}, {"m.cpp", main}},
                      "one = m.cpp u.cpp@1 ; two = m.cpp u.cpp@2"});
  };
  CHECK(version("one", "one") == "");
  CHECK(version("two", "one") == "f(): in -> use t");
  CHECK(version("one", "two") == "f(): in -> use t");
}

TEST_CASE("compare: a linked unit of which nothing is known can never be called the same") {
  Version version{{{"main.cpp", "strong main: in -> out"}}, "tool = main.cpp ghost.cpp"};
  CHECK(dangerous(version, version) == "program tool: ghost.cpp");
  CHECK(dangerous(version, version, Rules().without(Rule::Unparsed)) == "");
}

TEST_CASE("compare: another unit is linked, and with it other data") {
  auto version = [](const char *plan) {
    return Version{{{"f.cpp", "strong f(): in -> use v ; use v -> out"},
                    {"d1.cpp", "variable v: one"},
                    {"d2.cpp", "variable v: two"},
                    {"main.cpp", "strong main: in -> call f() ; call f() => out"}},
                   plan};
  };
  CHECK(dangerous(version("tool = main.cpp f.cpp d1.cpp"),
                  version("tool = main.cpp f.cpp d2.cpp")) == "f(): use v ->");
}

TEST_CASE("compare: a variant changed in one program is only relinked in the other") {
  const char *caller = "weak f(): in -> call g() ; call g() => out";
  const char *other = "weak f(): in -> x ; x -> call g() ; call g() => out";
  auto version = [&](const char *b, const char *fake) {
    return Version{{{"a.cpp", caller},
                    {"b.cpp", b},
                    {"m1.cpp", "strong main: in -> call f() ; call f() => out"},
                    {"m2.cpp", "strong main: in -> call f() ; call f() => out"},
                    {"fake.cpp", fake}},
                   "t1 = m1.cpp a.cpp fake.cpp ; t2 = m2.cpp b.cpp fake.cpp"};
  };
  CHECK(dangerous(version(caller, ""), version(other, "strong g(): in -> out")) ==
        "f(): call g() ->\nf(): in -> call g()");
}
