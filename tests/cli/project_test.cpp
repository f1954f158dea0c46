// The commands on a small project, from the outside.
#include "cli/run.h"
#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace retest;
namespace fs = std::filesystem;

namespace {

struct Outcome {
  int code;
  std::string out, err;

  bool says(const std::string &text) const { return out.find(text) != std::string::npos; }
  bool warns(const std::string &text) const { return err.find(text) != std::string::npos; }
};

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
    std::string out, err;
    llvm::raw_string_ostream outStream(out), errStream(err);
    arguments.insert(arguments.end(), {"-p", root_ / "build", "--root", root_.path()});
    int code = retest::run(arguments, outStream, errStream);
    return {code, outStream.str(), errStream.str()};
  }

  std::string path(const std::string &name) const { return root_ / name; }

private:
  TemporaryDirectory root_;
};

} // namespace

TEST_CASE("graph: a function with its source, its virtual targets and its callers") {
  SmallProject project;
  Outcome shown = project.run({"graph", "total"});
  CHECK(shown.code == 0);
  CHECK(shown.says("total(Shape&)  src/shape.cpp:3"));
  CHECK(shown.says("return s.area();"));
  CHECK(shown.says("Shape -> Shape::area()  include/shape.h:1"));
  CHECK(shown.says("Square -> Square::area()  src/main.cpp:2"));
  CHECK(shown.says("main  src/main.cpp:3"));
}

TEST_CASE("graph: all functions of a file, and of the program") {
  SmallProject project;
  Outcome file = project.run({"graph", "src/main.cpp"});
  CHECK(file.says("main  src/main.cpp:3"));
  CHECK(!file.says("total(Shape&)  src/shape.cpp:3\nstrong function"));
  CHECK(project.run({"graph", "--all"}).says("total(Shape&)  src/shape.cpp:3\n"));
}

TEST_CASE("graph: JSON that a program can read, the same in every run") {
  SmallProject project;
  Outcome first = project.run({"graph", "--all", "--format", "json"});
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(first.out);
  REQUIRE(static_cast<bool>(parsed));
  CHECK(parsed->getAsObject()->getInteger("schema_version") == 1);
  fs::remove_all(project.path("build/.retest"));
  CHECK(project.run({"graph", "--all", "--format", "json"}).out == first.out);
}

TEST_CASE("graph: the same bytes in another checkout") {
  SmallProject here, there;
  CHECK(here.run({"graph", "--all", "--format", "json"}).out ==
        there.run({"graph", "--all", "--format", "json"}).out);
}

TEST_CASE("graph: pictures, and numbers") {
  SmallProject project;
  CHECK(project.run({"graph", "total", "--format", "dot"}).says("digraph"));
  CHECK(project.run({"graph", "total", "--format", "svg"}).says("<svg"));
  Outcome written = project.run({"graph", "total", "-f", "dot", "-o", project.path("total.dot")});
  CHECK(written.out == "");
  CHECK(fs::file_size(project.path("total.dot")) > 100);
  Outcome stats = project.run({"graph", "--stats"});
  CHECK(stats.says("units"));
  CHECK(static_cast<bool>(llvm::json::parse(project.run({"graph", "--stats", "-f", "json"}).out)));
}

TEST_CASE("graph: what is not there is named, with the way out") {
  SmallProject project;
  Outcome nothing = project.run({"graph", "nonsense"});
  CHECK(nothing.code == 2);
  CHECK(nothing.warns("nonsense: no function and no file of the project has this name"));
  CHECK(project.run({"graph"}).code == 2);
  CHECK(project.run({"graph", "total", "--program", "none"}).code == 2);
  Outcome unrecorded = project.run({"graph", "total", "--baseline", "none"});
  CHECK(unrecorded.code == 6);
  CHECK(project.run({"graph", "total", "-o", "/no/such/place"}).code == 3);
  CHECK(project.run({"graph", "total", "-o", "/dev/full"}).code == 3);
  CHECK(project.run({"graph", "total", "--all"}).code == 2);
  CHECK(project.run({"graph", "total", "--stats"}).code == 2);
  CHECK(project.run({"graph", "--stats", "-f", "svg"}).code == 2);
  CHECK(project.run({"record", "--graph-only", "--name", "a\nb"}).code == 2);
}

TEST_CASE("graph: a file by any path that leads to it") {
  SmallProject project;
  CHECK(project.run({"graph", project.path("src/main.cpp")}).says("main  src/main.cpp:3"));
  project.write("src/main.cpp", "int x;\n");
  CHECK(project.run({"graph", "src/main.cpp"}).warns("src/main.cpp: defines no function"));
}

TEST_CASE("graph: colour is forced onto a pipe") {
  SmallProject project;
  CHECK(project.run({"--color", "always", "graph", "total"}).says("\x1b["));
  CHECK(!project.run({"--color", "never", "graph", "total"}).says("\x1b["));
}

TEST_CASE("record: a unit is parsed again only if what it depends on has changed") {
  SmallProject project;
  struct Row {
    std::string edit;
    std::function<void()> apply;
    std::string expected;
  };
  const Row rows[] = {
      {"first time", [] {}, "2 parsed, 0 unchanged"},
      {"nothing", [] {}, "0 parsed, 2 unchanged"},
      {"touched, same content",
       [&] { fs::last_write_time(project.path("src/main.cpp"), fs::file_time_type::clock::now()); },
       "0 parsed, 2 unchanged"},
      {"one source",
       [&] { project.write("src/main.cpp", "#include <shape.h>\nint main() { return 1; }\n"); },
       "1 parsed, 1 unchanged"},
      {"the header that both read",
       [&] {
         project.write("include/shape.h",
                       "struct Shape { virtual ~Shape(); virtual int area() { return 9; } };\n"
                       "int total(Shape &);\n");
       },
       "2 parsed, 0 unchanged"},
      {"a header that shadows it",
       [&] {
         project.write("early/shape.h",
                       "struct Shape { virtual ~Shape(); int area() { return 1; } };\n"
                       "int total(Shape &);\n");
       },
       "2 parsed, 0 unchanged"},
      {"the shadow is gone again", [&] { fs::remove_all(project.path("early")); },
       "0 parsed, 2 unchanged"},
      {"an unrelated file", [&] { project.write("include/other.h", ""); }, "0 parsed, 2 unchanged"},
      {"the command of both", [&] { project.configure({"src/shape.cpp", "src/main.cpp"}, "g++"); },
       "2 parsed, 0 unchanged"},
      {"a unit less", [&] { project.configure({"src/main.cpp"}, "g++"); }, "0 parsed, 1 unchanged"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    row.apply();
    Outcome recorded = project.run({"record", "--graph-only", "--name", "base"});
    CHECK(recorded.code == 0);
    CHECK_MESSAGE(recorded.says(row.expected), recorded.out);
  }
}

TEST_CASE("record: several baselines, each as it was") {
  SmallProject project;
  CHECK(project.run({"record", "--graph-only", "--name", "before"}).code == 0);
  project.write("src/main.cpp", "#include <shape.h>\nint main() { return 1; }\n");
  CHECK(project.run({"record", "--graph-only", "--name", "after"}).code == 0);
  Outcome before = project.run({"graph", "total", "--baseline", "before"});
  CHECK(before.says("Square -> Square::area()"));
  CHECK(!project.run({"graph", "total", "--baseline", "after"}).says("Square"));
  CHECK(!project.run({"graph", "total"}).says("Square"));
}

TEST_CASE("graph: a baseline by what git calls its commit, with no sources and no compiler") {
  SmallProject project;
  auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=n", "-c", "user.email=e"});
    llvm::Expected<ProcessResult> result =
        runProcess({.arguments = arguments, .directory = project.path("")});
    REQUIRE(!!result);
    REQUIRE_MESSAGE(result->succeeded(), result->errors);
  };
  project.write(".gitignore", "build\n");
  git({"init", "-q"});
  git({"add", "."});
  git({"commit", "-q", "-m", "one"});
  git({"tag", "release"});
  REQUIRE(project.run({"record", "--graph-only"}).code == 0);
  project.write("src/main.cpp", "int main() { return 1; }\n");
  git({"commit", "-q", "-a", "-m", "two"});
  fs::remove_all(project.path("src"));
  project.configure({"src/shape.cpp", "src/main.cpp"}, "no-such-compiler");
  for (const char *word : {"HEAD~1", "release"})
    CHECK(project.run({"graph", "total", "--baseline", word}).says("Square -> Square::area()"));
  Outcome none = project.run({"graph", "total", "--baseline", "HEAD"});
  CHECK(none.code == 2);
  CHECK(none.warns("no baseline is named 'HEAD'; it holds "));
}

TEST_CASE("graph: a baseline shows no source lines of another version") {
  SmallProject project;
  CHECK(project.run({"record", "--graph-only", "--name", "before"}).code == 0);
  CHECK(project.run({"graph", "total", "--baseline", "before"}).says("return s.area();"));
  project.write("src/shape.cpp", "// one\n// two\n#include <shape.h>\nShape::~Shape() = default;\n"
                                 "int total(Shape &s) {\n  return s.area();\n}\n");
  CHECK(!project.run({"graph", "total", "--baseline", "before"}).says("return s.area();"));
  CHECK(project.run({"graph", "total", "--baseline", "before"}).says("src/shape.cpp:3"));
}

TEST_CASE("record: a project of which nothing parses is an error") {
  SmallProject project;
  project.write("include/shape.h", "#error\n");
  Outcome outcome = project.run({"record", "--graph-only", "--name", "base"});
  CHECK(outcome.code == 3);
  CHECK(outcome.warns("none of its units parses"));
}

TEST_CASE("record: a unit that does not parse is a doubt; the rest goes on") {
  SmallProject project;
  project.write("src/main.cpp", "#include <shape.h>\nint main() { return nonsense; }\n");
  Outcome recorded = project.run({"record", "--graph-only", "--name", "base"});
  CHECK(recorded.code == 0);
  CHECK(recorded.warns("src/main.cpp does not parse: src/main.cpp:2:21: use of undeclared"));
  CHECK(recorded.says("1 in doubt"));
  CHECK(project.run({"graph", "total"}).says("total(Shape&)  src/shape.cpp:3"));
  Outcome again = project.run({"record", "--graph-only", "--name", "base"});
  CHECK(again.warns("src/main.cpp does not parse"));
  CHECK(again.says("0 parsed, 2 unchanged, 1 in doubt"));
}

TEST_CASE("record: nothing is written when the project cannot be read") {
  struct Row {
    std::string problem;
    std::function<void(SmallProject &)> cause;
    std::string message;
  };
  const Row rows[] = {
      {"no compile database",
       [](SmallProject &p) { fs::remove(p.path("build/compile_commands.json")); },
       "compile_commands.json"},
      {"an empty one", [](SmallProject &p) { p.write("build/compile_commands.json", "[]"); },
       "compile_commands.json"},
      {"a broken one", [](SmallProject &p) { p.write("build/compile_commands.json", "[{"); },
       "compile_commands.json"},
      {"a source that is missing", [](SmallProject &p) { fs::remove(p.path("src/main.cpp")); },
       "src/main.cpp: named in"},
      {"a compiler that is missing",
       [](SmallProject &p) { p.configure({"src/main.cpp"}, "/no/such/g++"); },
       "/no/such/g++: compiler of src/main.cpp"},
      {"a response file that is missing",
       [](SmallProject &p) {
         p.write("build/compile_commands.json",
                 "[{\"directory\": \"" + p.path("build") +
                     "\", \"file\": \"../src/main.cpp\","
                     " \"command\": \"clang++-19 @flags.rsp -c ../src/main.cpp\"}]");
       },
       "flags.rsp: response file of the command for src/main.cpp"},
      {"no build directory", [](SmallProject &p) { fs::remove_all(p.path("build")); }, "build"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.problem);
    SmallProject project;
    row.cause(project);
    Outcome outcome = project.run({"record", "--graph-only"});
    CHECK(outcome.code == 3);
    CHECK_MESSAGE(outcome.warns(row.message), outcome.err);
    CHECK(!fs::exists(project.path("build/.retest")));
  }
}

TEST_CASE("record: tests cannot be recorded yet, and that is said") {
  SmallProject project;
  Outcome outcome = project.run({"record"});
  CHECK(outcome.code == 2);
  CHECK(outcome.warns("--graph-only"));
}
