#pragma once

#include "report/graph_view.h"
#include "tests/notation/program.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

/// A small program that shows every part of a report: a branch, a virtual call, a handler, a
/// function of external code, a callback and an initialiser.
struct Shapes {
  Names names;
  Project project = linked(
      {{"main.cpp",
        "strong main: in -> n>0 ; n>0 -T-> call total() ; n>0 -F-> out ; call total() => out ; "
        "call total() ~> try ; try -> catch E ; catch E -caught-> out ; catch E -not caught-> "
        "raise\n"
        "strong total(): in -> virtual Shape: Shape::area() ; "
        "virtual Shape: Shape::area() => address total() ; address total() -> out\n"
        "abstract class Shape { pure Shape::area() }\n"
        "external class std::buf { std::buf::sync() }\n"
        "class Square : Shape, std::buf { Square::area() overrides Shape::area() ; "
        "Square::sync() overrides std::buf::sync() }\n"
        "weak Square::area(): in -> call puts() ; call puts() => out\n"
        "weak Square::sync(): in -> out"},
       {"log.cpp", "initialiser internal log.cpp init: in -> use level ; use level -> out\n"
                   "variable level"}},
      "tool = main.cpp log.cpp", names);
  GraphView view{project, project.programs[0], names, [](llvm::StringRef file, std::uint32_t line) {
                   return fmt::format("  {}, line {};", file.str(), line);
                 }};

  FunctionId at(const char *name) { return function(project, name, names); }
};

/// What `write` writes.
template <class Write> std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  return text;
}

} // namespace retest
