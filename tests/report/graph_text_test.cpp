#include "report/graph_text.h"

#include "tests/report/shapes.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string textOf(Shapes &shapes, const char *name, const TextStyle &style = {}) {
  return written(
      [&](llvm::raw_ostream &out) { writeFunctionText(out, shapes.view, shapes.at(name), style); });
}

} // namespace

TEST_CASE("text: branches, a call, and the handlers of its exceptions") {
  Shapes shapes;
  CHECK(textOf(shapes, "main") == R"(main  main.cpp:1
strong function, 7 nodes, 8 edges

    0 entry
          -> 2
    2 block                2 | main.cpp, line 2;
          T -> 3
          F -> 1 exit
    3 call                 3 | main.cpp, line 3;
          calls total()  main.cpp:11
          => 1 exit
          exception ~> 4 try
    4 try                  4 | main.cpp, line 4;
          -> 5 catch
    5 catch                5 | main.cpp, line 5;
          caught -> 1 exit
          not caught -> 6 exceptional exit
    6 exceptional exit
    1 exit
)");
}

TEST_CASE("text: virtual targets by receiver class, uses, callers") {
  Shapes shapes;
  CHECK(textOf(shapes, "total()") == R"(total()  main.cpp:11
strong function, 4 nodes, 3 edges

    0 entry
          -> 2
    2 call                12 | main.cpp, line 12;
          calls Shape::area() on Shape
            Shape -> Shape::area()  external  (only during construction)
            Square -> Square::area()  main.cpp:21
          => 3
    3 block               13 | main.cpp, line 13;
          uses address total()
          -> 1 exit
    1 exit

called by
  main  main.cpp:1  node 3

its address is taken: external code and calls through pointers may reach it
)");
}

TEST_CASE("text: a function that external code calls says so") {
  Shapes shapes;
  std::string text = textOf(shapes, "Square::sync()");
  CHECK(text.find("external code may call it as std::buf::sync() of a Square") !=
        std::string::npos);
}

TEST_CASE("text: colour only when asked, long lines are cut, an unknown source is left out") {
  Shapes shapes;
  CHECK(textOf(shapes, "main").find('\033') == std::string::npos);
  CHECK(textOf(shapes, "main", {true, 100}).find("\033[32mT\033[0m") != std::string::npos);
  CHECK(textOf(shapes, "main", {false, 36}).find("| main.cpp,...\n") != std::string::npos);
  GraphView blind(shapes.project, shapes.project.programs[0], shapes.names, nullptr);
  std::string text = written(
      [&](llvm::raw_ostream &out) { writeFunctionText(out, blind, shapes.at("main"), {}); });
  CHECK(text.find("    2 block                2 |") != std::string::npos);
}

TEST_CASE("text: the program with its units, roots and ways in") {
  Shapes shapes;
  CHECK(written([&](llvm::raw_ostream &out) { writeProgramText(out, shapes.view, {}); }) ==
        R"(tool  executable

units
  main.cpp
  log.cpp

roots
  log.cpp init  log.cpp:1
  main  main.cpp:1
  external code

external code calls
  Square
    std::buf::sync() -> Square::sync()
    * -> external code
)");
}

TEST_CASE("text: the functions of a file, in the order of the file") {
  Shapes shapes;
  std::string text = written([&](llvm::raw_ostream &out) {
    writeFunctionsText(out, shapes.view, functionsInFile(shapes.project, "main.cpp", shapes.names),
                       {});
  });
  CHECK(text.find("main  main.cpp:1\n") == 0);
  CHECK(text.find("\n\ntotal()  main.cpp:11\n") < text.find("\n\nSquare::area()  main.cpp:21\n"));
}
