#include "report/graph_json.h"

#include "graph/link_program.h"
#include "tests/report/shapes.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

using namespace retest;

namespace {

std::string jsonOf(const Project &project, const Names &names,
                   const GraphJsonOptions &options = {}) {
  return written([&](llvm::raw_ostream &out) { writeGraphJson(out, project, names, options); });
}

llvm::json::Value parsed(const std::string &text) {
  auto value = llvm::json::parse(text);
  REQUIRE(bool(value));
  return *value;
}

std::string compact(const llvm::json::Value *value) {
  return value ? written([&](llvm::raw_ostream &out) { out << *value; }) : "";
}

} // namespace

TEST_CASE("json: a function with its nodes and edges") {
  Shapes shapes;
  llvm::json::Value document = parsed(jsonOf(shapes.project, shapes.names));
  const llvm::json::Object &root = *document.getAsObject();
  CHECK(root.getInteger("schema_version") == 1);
  const llvm::json::Object &total =
      *(*root.getArray("functions"))[shapes.at("total()").value].getAsObject();
  CHECK(total.getString("name") == "total()");
  CHECK(total.getString("linkage") == "strong");
  CHECK(total.getString("file") == "main.cpp");
  CHECK(compact(total.get("begin")) == "[11,1]");
  CHECK(total.getString("fingerprint")->size() == 32);
  const llvm::json::Object &call = *(*total.getArray("nodes"))[2].getAsObject();
  CHECK(compact(call.get("call")) ==
        R"json({"callee":"Shape::area()","kind":"virtual","receiver":"Shape"})json");
  CHECK(compact(&(*total.getArray("edges"))[1]) ==
        R"json({"from":2,"kind":"path","label":"","to":3})json");
}

TEST_CASE("json: the program with calls, dispatch tables, class entries and roots") {
  Shapes shapes;
  llvm::json::Value document = parsed(jsonOf(shapes.project, shapes.names));
  const llvm::json::Object &program =
      *(*document.getAsObject()->getArray("programs"))[0].getAsObject();
  std::uint32_t main = shapes.at("main").value, total = shapes.at("total()").value;
  CHECK(compact(program.get("calls")) ==
        fmt::format(R"json([{{"from":{},"node":3,"returns_to":1,"to":{}}}])json", main, total));
  CHECK(compact(program.get("virtual_calls")) ==
        fmt::format(R"json([{{"dispatch":0,"from":{},"node":2}}])json", total));

  const llvm::json::Object &table = *(*program.getArray("dispatch"))[0].getAsObject();
  CHECK(table.getString("receiver") == "Shape");
  CHECK(table.getString("method") == "Shape::area()");
  const llvm::json::Array &edges = *table.getArray("edges");
  REQUIRE(edges.size() == 2);
  CHECK(compact(&edges[0]) ==
        R"json({"class":"Shape","method":"Shape::area()","only_during_construction":true})json");
  CHECK(compact(&edges[1]) ==
        fmt::format(R"json({{"class":"Square","method":"Square::area()","to":{}}})json",
                    shapes.at("Square::area()").value));

  const llvm::json::Object &entry = *(*program.getArray("class_entries"))[0].getAsObject();
  CHECK(entry.getString("class") == "Square");
  const llvm::json::Array &ways = *entry.getArray("edges");
  REQUIRE(ways.size() == 2);
  CHECK(compact(&ways[0]) ==
        fmt::format(R"json({{"label":"std::buf::sync()","method":"Square::sync()","to":{}}})json",
                    shapes.at("Square::sync()").value));
  CHECK(compact(&ways[1]) == R"json({"label":"*"})json");

  CHECK(program.getArray("roots")->size() == 3);
  CHECK(compact(program.get("callbacks")) == fmt::format("[{}]", total));
}

TEST_CASE("json: only the functions asked for, with the calls to and from them") {
  Shapes shapes;
  GraphJsonOptions options;
  options.functions = {shapes.at("Square::area()")};
  llvm::json::Value document = parsed(jsonOf(shapes.project, shapes.names, options));
  const llvm::json::Object &root = *document.getAsObject();
  CHECK(root.getArray("functions")->size() == 1);
  CHECK(root.getArray("units")->size() == 1);
  CHECK(!root.get("classes"));
  const llvm::json::Object &program = *(*root.getArray("programs"))[0].getAsObject();
  CHECK(program.getArray("calls")->empty());
  CHECK(program.getArray("virtual_calls")->size() == 1);
}

TEST_CASE("json: the same bytes whatever the order in which names and units came") {
  auto document = [](bool isReversed) {
    Names names;
    if (isReversed)
      for (const char *name : {"z", "v2", "v1", "b.cpp", "a.cpp", "g()", "f()"})
        names.intern(name);
    std::vector<UnitGraph> units = {
        unit("a.cpp", "strong main: in -> use v1 ; use v1 -> out\nweak g(): in -> out", names),
        unit("b.cpp", "variable v1\nweak g(): in -> out", names),
        unit("c.cpp", "variable v2\nstrong f(): in -> out", names)};
    std::vector<Use> &uses = units[0].functions[1].flow.nodes[2].uses;
    uses.push_back({UseKind::Variable, names.intern("v2")});
    llvm::sort(uses);
    ProgramPlan plan = programPlan("tool = a.cpp u.a ; u.a = b.cpp c.cpp", names);
    if (isReversed)
      std::swap(units[0], units[2]);
    return jsonOf(linkProject(units, plan, names), names);
  };
  CHECK(document(false) == document(true));
}

TEST_CASE("json: bytes that are no UTF-8 are replaced, not written") {
  Names names;
  Project project =
      linked({{"a.cpp", "strong f<\xff>(): in -> call \xc3( ; call \xc3( => out"}}, "", names);
  project.units[0].doubts.push_back({"caf\xe9", {}});
  std::string text = jsonOf(project, names);
  CHECK(llvm::json::isUTF8(text));
  CHECK(text.find("f<\xef\xbf\xbd>()") != std::string::npos);
  parsed(text);
}
