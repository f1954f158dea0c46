// docs/graph.md names each field of the JSON document, and no other.
#include "report/graph_json.h"
#include "tests/report/document_fields.h"
#include "tests/report/shapes.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// A project in which nothing is left out.
Project fullProject(Names &names) {
  Project project =
      linked({{"a.cpp", "strong main: in -> call total() ; call total() => out\n"
                        "strong total(): in -> virtual Shape: Shape::area() ; "
                        "virtual Shape: Shape::area() => address total() ; address total() -> out\n"
                        "abstract class Shape { pure Shape::area() }\n"
                        "external class std::buf { std::buf::sync() }\n"
                        "class Square : Shape, std::buf { Square::area() overrides Shape::area() ; "
                        "Square::sync() overrides std::buf::sync() }\n"
                        "weak Square::area(): in -> out\n"
                        "weak Square::sync(): in -> out\n"
                        "weak twice(): in -> one ; one -> out"},
              {"b.cpp", "initialiser internal b.cpp init: in -> use level ; use level -> out\n"
                        "variable level: total()\n"
                        "weak twice(): in -> two ; two -> out"}},
             "tool = a.cpp b.cpp x.S", names);
  SourcePosition place{names.intern("macros.h"), 3, 4};
  std::uint32_t mainId = function(project, "main", names).value;
  Function main = project.functions[mainId];
  main.symbols = {names.intern("_Zmain")};
  main.ofClass = names.intern("Square");
  main.isNoexcept = true;
  main.unmodelled = "inline assembly";
  Node &call = main.flow.nodes[2];
  call.elements = {{1, {place, place}}};
  call.locals = {0};
  call.isInMacro = true;
  project.functions.replace(mainId, main);
  Class type = project.classes[0];
  type.where = {place, place};
  project.classes.replace(0, type);
  Variable variable = project.variables[0];
  variable.symbols = {names.intern("level")};
  variable.where = {place, place};
  project.variables.replace(0, variable);
  project.units[0].doubts = {{"not known", place}};
  project.programs[0].doubts = {{"not known", place}};
  return project;
}

} // namespace

TEST_CASE("json: each field is in the manual, and each field of the manual is written") {
  Names names;
  Project project = fullProject(names);
  std::string text =
      written([&](llvm::raw_ostream &out) { writeGraphJson(out, project, names, {}); });
  Fields fields = fieldsOf(text), inManual = documentedFields("graph.md");
  CHECK(onlyIn(fields, inManual) == "");
  CHECK(onlyIn(inManual, fields) == "");
}
