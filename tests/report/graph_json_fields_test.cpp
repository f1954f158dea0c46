// docs/graph.md names each field of the JSON document, and no other.
#include "report/graph_json.h"
#include "tests/report/shapes.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

#include <fstream>
#include <set>

using namespace retest;

namespace {

using Fields = std::set<std::string>;

/// "functions[].nodes[].kind" and so on, for everything that a value holds.
void collect(const llvm::json::Value &value, const std::string &path, Fields &fields) {
  if (const llvm::json::Array *list = value.getAsArray())
    for (const llvm::json::Value &entry : *list)
      collect(entry, path + "[]", fields);
  if (const llvm::json::Object *object = value.getAsObject())
    for (const auto &[key, inner] : *object) {
      std::string field = (path.empty() ? "" : path + ".") + key.str();
      fields.insert(field);
      collect(inner, field, fields);
    }
}

/// The words between back quotes.
std::vector<std::string> quoted(llvm::StringRef text) {
  std::vector<std::string> words;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2)
    words.push_back(parts[i].str());
  return words;
}

/// The same from the tables of the manual: "In `functions[]`:", then "| `id`, `name` | ... |".
Fields documented() {
  std::ifstream file(RETEST_DOCS "/graph.md");
  REQUIRE(file.is_open());
  Fields fields;
  bool isInside = false;
  std::string prefix;
  for (std::string text; std::getline(file, text);) {
    llvm::StringRef line = text;
    if (line.starts_with("## "))
      isInside = line == "## As JSON";
    if (!isInside)
      continue;
    if (line.starts_with("In `"))
      prefix = quoted(line).front() + ".";
    if (line.starts_with("| `"))
      for (const std::string &field : quoted(line.drop_front().split('|').first))
        fields.insert(prefix + field);
  }
  return fields;
}

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
  Function &main = project.functions[function(project, "main", names).value];
  main.symbols = {names.intern("_Zmain")};
  main.ofClass = names.intern("Square");
  main.isNoexcept = true;
  main.unmodelled = "inline assembly";
  Node &call = main.flow.nodes[2];
  call.elements = {{1, {place, place}}};
  call.locals = {0};
  call.expansion = {place};
  project.classes[0].where = {place, place};
  project.variables[0].symbols = {names.intern("level")};
  project.variables[0].where = {place, place};
  project.units[0].doubts = {{"not known", place}};
  project.programs[0].doubts = {{"not known", place}};
  return project;
}

std::string onlyIn(const Fields &some, const Fields &others) {
  std::string text;
  for (const std::string &field : some)
    if (!others.contains(field))
      text += field + "\n";
  return text;
}

} // namespace

TEST_CASE("json: each field is in the manual, and each field of the manual is written") {
  Names names;
  Project project = fullProject(names);
  std::string text =
      written([&](llvm::raw_ostream &out) { writeGraphJson(out, project, names, {}); });
  auto document = llvm::json::parse(text);
  REQUIRE(bool(document));
  Fields fields;
  collect(*document, "", fields);
  Fields inManual = documented();
  CHECK(onlyIn(fields, inManual) == "");
  CHECK(onlyIn(inManual, fields) == "");
}
