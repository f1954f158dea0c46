// The commands on a small project, from the outside.
#include "tests/cli/small_project.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace retest;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("graph: a function with its source, its virtual targets and its callers") {
  SmallProject project;
  Outcome shown = project.run({"graph", "total"});
  CHECK(shown.code == 0);
  CHECK(shown.says("total(Shape&)  src/shape.cpp:3"));
  CHECK(shown.says("return s.area();"));
  CHECK(shown.says("Shape -> Shape::area()  include/shape.h:1"));
  CHECK(shown.says("Square -> Square::area()  src/main.cpp:2"));
  CHECK(shown.says("called by\n  main  src/main.cpp:3  node 3\n"));
}

TEST_CASE("graph: all functions of a file, and of the program") {
  SmallProject project;
  // A function that is shown, not only named by another, has its kind on the next line.
  const std::string main = "main  src/main.cpp:3\nstrong function";
  const std::string total = "total(Shape&)  src/shape.cpp:3\nstrong function";
  Outcome file = project.run({"graph", "src/main.cpp"});
  CHECK(file.code == 0);
  CHECK(file.says(main));
  CHECK(!file.says(total));
  Outcome all = project.run({"graph", "--all"});
  CHECK(all.code == 0);
  CHECK(all.says(main));
  CHECK(all.says(total));
}

TEST_CASE("graph: JSON that a program can read, the same in every run") {
  SmallProject project;
  Outcome first = project.run({"graph", "--all", "--format", "json"});
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(first.out);
  REQUIRE(static_cast<bool>(parsed));
  const llvm::json::Object &document = *parsed->getAsObject();
  CHECK(document.getInteger("schema_version") == 1);
  std::vector<std::string> names;
  for (const llvm::json::Value &function : *document.getArray("functions"))
    names.push_back(function.getAsObject()->getString("name")->str());
  for (const char *name : {"main", "total(Shape&)", "Shape::area()", "Square::area()"}) {
    CAPTURE(std::string(name));
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  REQUIRE(fs::remove_all(project.path("build/.retest")) > 0); // parsed again, not from the cache
  CHECK(project.run({"graph", "--all", "--format", "json"}).out == first.out);
}

TEST_CASE("graph: the same bytes in another checkout") {
  SmallProject here, there;
  Outcome first = here.run({"graph", "--all", "--format", "json"});
  CHECK(first.code == 0);
  CHECK(first.says("src/main.cpp"));
  CHECK(!first.says(here.path("")));
  CHECK(first.out == there.run({"graph", "--all", "--format", "json"}).out);
}

TEST_CASE("graph: pictures, and numbers") {
  SmallProject project;
  Outcome dot = project.run({"graph", "total", "--format", "dot"});
  CHECK(dot.says("digraph \"total(Shape&)\""));
  CHECK(dot.says("return s.area();"));
  Outcome svg = project.run({"graph", "total", "--format", "svg"});
  CHECK(svg.says("<svg"));
  CHECK(svg.says("Square::area()"));
  Outcome written = project.run({"graph", "total", "-f", "dot", "-o", project.path("total.dot")});
  CHECK(written.code == 0);
  CHECK(written.out == "");
  CHECK(contentOf(project.path("total.dot")) == dot.out);
  std::istringstream stats(project.run({"graph", "--stats"}).out);
  std::string word;
  int number = 0;
  stats >> word >> number;
  CHECK(word == "units");
  CHECK(number == 2);
  auto numbers = llvm::json::parse(project.run({"graph", "--stats", "-f", "json"}).out);
  REQUIRE(static_cast<bool>(numbers));
  CHECK(numbers->getAsObject()->getInteger("units") == 2);
  CHECK(numbers->getAsObject()->getInteger("virtual_calls") == 1);
}

TEST_CASE("graph: what is not there is named, with the way out") {
  SmallProject project;
  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  const Row rows[] = {
      {{"graph", "nonsense"}, 2, "nonsense: no function and no file of the project has this name"},
      {{"graph"}, 2, "graph: name a function or a file"},
      {{"graph", "total", "--program", "none"}, 2, "none: no such program; there are all"},
      {{"graph", "total", "--baseline", "none"},
       6,
       "retest.db: no such file; `retest record` makes it"},
      {{"graph", "total", "-o", "/no/such/place"}, 3, "/no/such/place: "},
      {{"graph", "total", "-o", "/dev/full"}, 3, "/dev/full: "},
      {{"graph", "total", "--all"}, 2, "total: not together with --all"},
      {{"graph", "total", "--stats"}, 2, "total: not together with --stats"},
      {{"graph", "--stats", "-f", "svg"}, 2, "--stats: there is no picture of it"},
      {{"record", "--graph-only", "--name", "a\nb"}, 2, "--name: "},
  };
  for (const Row &row : rows) {
    CAPTURE(row.message);
    Outcome outcome = project.run(row.arguments);
    CHECK(outcome.code == row.code);
    CHECK(outcome.out == "");
    CHECK_MESSAGE(outcome.warns(row.message), outcome.err);
  }
  REQUIRE(project.run({"record", "--graph-only", "--name", "base"}).code == 0);
  Outcome unknown = project.run({"graph", "total", "--baseline", "none"});
  CHECK(unknown.code == 2);
  CHECK(unknown.warns("no baseline is named 'none'; it holds base"));
}

TEST_CASE("graph: a file by any path that leads to it") {
  SmallProject project;
  CHECK(project.run({"graph", project.path("src/main.cpp")}).says("main  src/main.cpp:3"));
  project.write("src/main.cpp", "int x;\n");
  Outcome none = project.run({"graph", "src/main.cpp"});
  CHECK(none.code == 2);
  CHECK(none.warns("src/main.cpp: defines no function; 'retest graph --all' lists those of all"));
}

TEST_CASE("graph: colour is forced onto a pipe") {
  SmallProject project;
  CHECK(project.run({"--color", "always", "graph", "total"}).says("\x1b[1mtotal(Shape&)\x1b[0m"));
  Outcome plain = project.run({"--color", "never", "graph", "total"});
  CHECK(plain.says("total(Shape&)  src/shape.cpp:3"));
  CHECK(!plain.says("\x1b["));
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
  for (const std::vector<std::string> &arguments :
       {std::vector<std::string>{"graph", "total", "--baseline", "after"}, {"graph", "total"}}) {
    Outcome after = project.run(arguments);
    CHECK(after.says("Shape -> Shape::area()"));
    CHECK(!after.says("Square"));
  }
}

TEST_CASE("graph: a baseline by what git calls its commit, with no sources and no compiler") {
  SmallProject project;
  project.write(".gitignore", "build\n");
  project.git({"init", "-q"});
  project.git({"add", "."});
  project.git({"commit", "-q", "-m", "one"});
  project.git({"tag", "release"});
  REQUIRE(project.run({"record", "--graph-only"}).code == 0);
  project.write("src/main.cpp", "int main() { return 1; }\n");
  project.git({"commit", "-q", "-a", "-m", "two"});
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
  Outcome before = project.run({"graph", "total", "--baseline", "before"});
  CHECK(before.says("total(Shape&)  src/shape.cpp:3"));
  CHECK(!before.says("return s.area();"));
  Outcome now = project.run({"graph", "total"});
  CHECK(now.says("total(Shape&)  src/shape.cpp:5"));
  CHECK(now.says("return s.area();"));
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
       "build: no compile_commands.json here"},
      {"an empty one", [](SmallProject &p) { p.write("build/compile_commands.json", "[]"); },
       "compile_commands.json: the compile database is empty"},
      {"a broken one", [](SmallProject &p) { p.write("build/compile_commands.json", "[{"); },
       "compile_commands.json: not JSON"},
      {"a shell instead of a compiler",
       [](SmallProject &p) { p.configure({"src/main.cpp"}, "sh"); },
       "compile_commands.json: entry 1 (for src/main.cpp) runs sh, a shell"},
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
      {"no build directory", [](SmallProject &p) { fs::remove_all(p.path("build")); },
       "build: no such build directory"},
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

TEST_CASE("record: a build directory without counters is not recorded, and the way out is told") {
  SmallProject project;
  Outcome outcome = project.run({"record"});
  CHECK(outcome.code == 3);
  CHECK(outcome.warns("no program in it has counters"));
  CHECK(outcome.warns("retest init"));
  CHECK(project.run({"who", "main"}).code == 6); // there is no baseline
}

TEST_CASE("record: RETEST_STORE names another place for the store, which must be there") {
  SmallProject project;
  std::string path = project.path("elsewhere/base.db");
  setenv("RETEST_STORE", path.c_str(), 1);
  Outcome missing = project.run({"record", "--graph-only", "--name", "base"});
  fs::create_directory(project.path("elsewhere"));
  Outcome recorded = project.run({"record", "--graph-only", "--name", "base"});
  Outcome shown = project.run({"graph", "total", "--baseline", "base"});
  unsetenv("RETEST_STORE");
  CHECK(missing.code == 6);
  CHECK(missing.warns(path + ": its directory does not exist; `mkdir -p " +
                      project.path("elsewhere") + "` makes it"));
  CHECK(recorded.code == 0);
  CHECK(fs::exists(path));
  CHECK(!fs::exists(project.path("build/.retest/retest.db")));
  CHECK(shown.says("total(Shape&)  src/shape.cpp:3"));
}
