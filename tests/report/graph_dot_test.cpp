#include "report/dot_style.h"
#include "report/graph_dot.h"

#include "tests/report/shapes.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("dot: labels are quoted, whatever they hold") {
  CHECK(dotQuoted("plain") == "\"plain\"");
  CHECK(dotQuoted("a \"b\" \\n") == R"("a \"b\" \\n")");
  CHECK(dotQuoted("1 block\nx < y") == R"("1 block\lx < y\l")");
  CHECK(dotQuoted("tab\there \xff") == "\"tab here \xef\xbf\xbd\"");
}

TEST_CASE("dot: a function with its branches, exceptions, callees and callers") {
  Shapes shapes;
  auto picture = [&](const char *name) {
    return written(
        [&](llvm::raw_ostream &out) { writeFunctionDot(out, shapes.view, shapes.at(name), {}); });
  };
  std::string main = picture("main");
  CHECK(contains(main, R"(n2 [label="2 block\l2: main.cpp, line 2;\l", shape=box)"));
  CHECK(contains(main, R"(n2 -> n3 [label="T", style=solid, color="#2e7d32")"));
  CHECK(contains(main, R"(n3 -> n4 [label="", style=dashed, color="#e65100")"));
  CHECK(contains(main, R"(n3 -> callee0 [style=dotted, label=""])"));
  std::string total = picture("total()");
  CHECK(contains(total, R"(n2 -> callee1 [style=dotted, label="Square"])"));
  CHECK(contains(total, R"(caller0 [label="main")"));
}

TEST_CASE("dot: what is too large is cut, and says so") {
  Shapes shapes;
  DotOptions options;
  options.maxNodes = 3;
  std::string main = written([&](llvm::raw_ostream &out) {
    writeFunctionDot(out, shapes.view, shapes.at("main"), options);
  });
  CHECK(contains(main, "n2 -> nrest"));
  CHECK(contains(main, "nrest [label=\"4 more nodes\""));
  CHECK(!contains(main, "n3 "));
  options = {};
  options.maxNeighbours = 1;
  std::string total = written([&](llvm::raw_ostream &out) {
    writeFunctionDot(out, shapes.view, shapes.at("total()"), options);
  });
  CHECK(contains(total, "1 more targets"));
}

TEST_CASE("dot: a program as clusters, or as its call graph when it is large") {
  Shapes shapes;
  std::vector<FunctionId> functions = functionsOf(shapes.project, shapes.project.programs[0]);
  auto picture = [&](DotOptions options) {
    return written(
        [&](llvm::raw_ostream &out) { writeProgramDot(out, shapes.view, functions, options); });
  };
  std::string main = fmt::format("f{}", shapes.at("main").value);
  std::string total = fmt::format("f{}", shapes.at("total()").value);
  std::string clusters = picture({});
  CHECK(contains(clusters, "subgraph cluster0 {"));
  CHECK(contains(clusters, main + "n3 -> " + total + "n0 ["));
  DotOptions small;
  small.maxProgramNodes = 5;
  CHECK(contains(picture(small), main + " -> " + total + "\n"));
  small.maxFunctions = 2;
  CHECK(contains(picture(small), "3 more functions"));
}
