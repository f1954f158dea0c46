#include "report/graph_view.h"

#include "tests/report/shapes.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("view: a function is found by any tail of its name") {
  Names names;
  Project project = linked({{"src/a.cpp", "strong ns::Box::put(int) const: in -> out\n"
                                          "strong Box::put(int): in -> out\n"
                                          "strong put: in -> out\n"
                                          "strong input(): in -> out\n"
                                          "strong run(void (*)(int)): in -> out\n"
                                          "weak List<int>::max<A<char>>(int): in -> out\n"
                                          "weak operator<<<char>(Out&, char): in -> out\n"
                                          "strong operator()(int): in -> out"},
                            {"src/ba.cpp", "strong other(): in -> out"}},
                           "", names);
  auto found = [&](const char *query) {
    std::string result;
    for (FunctionId id : functionsNamed(project, query, names))
      result += names.text(project[id].name).str() + "; ";
    return result;
  };
  CHECK(found("Box::put") == "Box::put(int); ns::Box::put(int) const; ");
  CHECK(found("ns::Box::put(int) const") == "ns::Box::put(int) const; ");
  CHECK(found("put") == "put; "); // the exact identity wins
  CHECK(found("run") == "run(void (*)(int)); ");
  CHECK(found("operator()") == "operator()(int); ");
  CHECK(found("max") == "List<int>::max<A<char>>(int); ");
  CHECK(found("List<int>::max<A<char>>") == "List<int>::max<A<char>>(int); ");
  CHECK(found("List::max") == "List<int>::max<A<char>>(int); ");
  CHECK(found("operator<<") == "operator<<<char>(Out&, char); ");
  CHECK(found("nothing") == "");
  CHECK(functionsInFile(project, "a.cpp", names).size() == 8);
  CHECK(functionsInFile(project, "src/ba.cpp", names).size() == 1);
  CHECK(names.text(project[functionsInFile(project, "a.cpp", names)[1]].name) == "Box::put(int)");
}

TEST_CASE("view: a node shows each of its lines once") {
  Shapes shapes;
  NameId file = shapes.names.intern("main.cpp");
  Node node;
  for (std::uint32_t line : {3, 3, 4, 3, 0})
    node.elements.push_back({1, {{file, line, line}, {file, line, 9}}});
  std::vector<NodeLine> lines = linesOf(node, shapes.view.lines, shapes.names);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].text == "main.cpp, line 3;");
  CHECK(lines[1].where.line == 4);
}
