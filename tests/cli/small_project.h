#pragma once

#include "cli/run.h"
#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

namespace retest {

struct Outcome {
  int code;
  std::string out, err;

  bool says(const std::string &text) const { return out.find(text) != std::string::npos; }
  bool warns(const std::string &text) const { return err.find(text) != std::string::npos; }
};

inline Outcome runRetest(const std::vector<std::string> &arguments) {
  std::string out, err;
  llvm::raw_string_ostream outStream(out), errStream(err);
  int code = run(arguments, outStream, errStream);
  return {code, outStream.str(), errStream.str()};
}

/// A project of two units and a header, configured by hand in `build`.
class SmallProject {
public:
  SmallProject() {
    write("include/shape.h",
          "struct Shape { virtual ~Shape(); virtual int area() { return 0; } };\n"
          "int total(Shape &);\n");
    write("src/shape.cpp", "#include <shape.h>\nShape::~Shape() = default;\n"
                           "int total(Shape &s) {\n  return s.area();\n}\n");
    write("src/main.cpp",
          "#include <shape.h>\nstruct Square : Shape { int area() override { return 4; } };\n"
          "int main() { Square s; return total(s); }\n");
    configure({"src/shape.cpp", "src/main.cpp"});
  }

  void write(const std::string &name, const std::string &content) { root_.write(name, content); }

  void configure(const std::vector<std::string> &sources,
                 const std::string &compiler = "clang++-19") {
    llvm::json::Array entries;
    for (const std::string &source : sources)
      entries.push_back(llvm::json::Object{
          {"directory", root_ / "build"},
          {"file", "../" + source},
          {"output", source + ".o"},
          {"arguments",
           {compiler, "-I../early", "-I../include", "-c", "../" + source, "-o", source + ".o"}}});
    std::string json;
    llvm::raw_string_ostream(json) << llvm::json::Value(std::move(entries));
    write("build/compile_commands.json", json);
  }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-p", root_ / "build", "--root", root_.path()});
    return runRetest(arguments);
  }

  void git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=n", "-c", "user.email=e"});
    llvm::Expected<ProcessResult> result =
        runProcess({.arguments = arguments, .directory = root_.path()});
    REQUIRE(!!result);
    REQUIRE_MESSAGE(result->succeeded(), result->errors);
  }

  std::string path(const std::string &name) const { return root_ / name; }

private:
  TemporaryDirectory root_;
};

} // namespace retest
