// `retest diff` on a small project, from the outside.
#include "tests/cli/small_project.h"

#include <filesystem>
#include <fstream>
#include <set>

using namespace retest;
namespace fs = std::filesystem;

namespace {

const char *kEdited = "#include <shape.h>\nShape::~Shape() = default;\n"
                      "int total(Shape &s) {\n  return s.area() + 1;\n}\n";

/// A project with the baseline "base".
class RecordedProject : public SmallProject {
public:
  RecordedProject() { REQUIRE(run({"record", "--graph-only", "--name", "base"}).code == 0); }

  /// The document of `retest diff --format json`.
  llvm::json::Value json(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"diff", "--format", "json"});
    Outcome outcome = run(arguments);
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    auto document = llvm::json::parse(outcome.out);
    REQUIRE(bool(document));
    return std::move(*document);
  }
};

std::int64_t count(const llvm::json::Value &document, const char *key) {
  return *document.getAsObject()->getObject("counts")->getInteger(key);
}

std::set<std::string> dangerousFunctions(const llvm::json::Value &document) {
  std::set<std::string> names;
  for (const llvm::json::Value &edge : *document.getAsObject()->getArray("edges"))
    names.insert(edge.getAsObject()->getString("function")->str());
  return names;
}

} // namespace

TEST_CASE("diff: one line if nothing changed, also with comments and moved lines") {
  RecordedProject project;
  Outcome same = project.run({"diff"});
  CHECK(same.code == 0);
  CHECK(same.out == "nothing changed since baseline base\n");
  project.write("src/shape.cpp", "// a comment\n#include <shape.h>\n\nShape::~Shape() = default;\n"
                                 "int total(Shape &s)\n{ return s.area(); /* here */ }\n");
  CHECK(project.run({"diff"}).out == "nothing changed since baseline base\n");
  CHECK(project.run({"diff", "total"}).out == "nothing changed in total since baseline base\n");
  CHECK(count(project.json(), "dangerous_edges") == 0);
}

TEST_CASE("diff: one edit, with its reason and its source") {
  RecordedProject project;
  project.write("src/shape.cpp", kEdited);
  Outcome diff = project.run({"diff"});
  CHECK(diff.code == 0);
  CHECK(diff.says("src/shape.cpp\n  total(Shape&)  line 3\n"));
  CHECK(diff.says("(code changed at src/shape.cpp:4)\n"));
  CHECK(diff.says("return s.area() + 1;"));
  CHECK(diff.says("(the source of the baseline is not at hand)"));
  CHECK(diff.says("\n1 function changed, 1 dangerous edge in 1 function\n"));
  CHECK(project.run({"diff"}).out == diff.out);
  CHECK(project.run({"diff", "--base", "base"}).out == diff.out);
}

TEST_CASE("diff: the source of the baseline comes from git") {
  SmallProject project;
  project.write(".gitignore", "build\n");
  project.git({"init", "-q"});
  project.git({"add", "."});
  project.git({"commit", "-q", "-m", "one"});
  REQUIRE(project.run({"record", "--graph-only"}).code == 0);
  project.write("src/shape.cpp", kEdited);
  Outcome below = project.run({"diff", "--base", "HEAD"});
  CHECK(below.code == 0);
  CHECK(below.says("    -*     4   return s.area();\n    +      4   return s.area() + 1;\n"));
  CHECK(!below.says("not at hand"));
  setenv("COLUMNS", "120", 1);
  Outcome beside = project.run({"diff"});
  unsetenv("COLUMNS");
  CHECK_MESSAGE(beside.says("|"), beside.out);
  CHECK(beside.says("        baseline  "));
}

TEST_CASE("diff: a new file, and a removed one") {
  RecordedProject project;
  project.write("src/extra.cpp", "int extra() { return 1; }\n");
  project.configure({"src/shape.cpp", "src/main.cpp", "src/extra.cpp"});
  Outcome added = project.run({"diff"});
  CHECK(added.code == 0);
  CHECK(
      added.says("Functions added\n  extra()  src/extra.cpp:1\n\nUnits added\n  src/extra.cpp\n"));
  CHECK(added.says("\n1 function added, nothing dangerous\n"));

  REQUIRE(project.run({"record", "--graph-only", "--name", "more"}).code == 0);
  fs::remove(project.path("src/extra.cpp"));
  project.configure({"src/shape.cpp", "src/main.cpp"});
  Outcome removed = project.run({"diff"});
  CHECK(removed.says("Functions removed\n  extra()  src/extra.cpp:1\n"));
  CHECK(removed.says("Units removed\n  src/extra.cpp\n"));
  CHECK(removed.says("\n1 function removed, nothing dangerous\n"));
  CHECK(project.run({"diff", "--base", "base"}).out == "nothing changed since baseline base\n");
}

TEST_CASE("diff: an override in one unit, seen from a caller in another") {
  RecordedProject project;
  project.write("src/main.cpp", "#include <shape.h>\nstruct Square : Shape { };\n"
                                "int main() { Square s; return total(s); }\n");
  Outcome diff = project.run({"diff", "total"});
  CHECK(diff.code == 0);
  CHECK_MESSAGE(diff.says("s.area() -Square-> Square::area()"), diff.out);
  CHECK(!diff.says("  main  "));
}

TEST_CASE("diff: a unit that does not parse now is a doubt") {
  RecordedProject project;
  project.write("src/main.cpp", "#include <shape.h>\nint main() { return nonsense; }\n");
  Outcome diff = project.run({"diff"});
  CHECK(diff.code == 0);
  CHECK(diff.warns("src/main.cpp does not parse"));
  CHECK_MESSAGE(diff.says("  all  (src/main.cpp does not parse)\n"), diff.out);
  CHECK(diff.says("Doubts\n"));
  CHECK(diff.says("1 doubt\n"));
}

TEST_CASE("diff: JSON that a program can read, the same in every run") {
  RecordedProject project;
  project.write("include/shape.h",
                "struct Shape { virtual ~Shape(); virtual int area() { return 7; } int x; };\n"
                "int total(Shape&);\n");
  Outcome first = project.run({"diff", "--format", "json"});
  CHECK(first.code == 0);
  REQUIRE(bool(llvm::json::parse(first.out)));
  CHECK(project.run({"diff", "--format", "json"}).out == first.out);
  REQUIRE(fs::remove(project.path("build/.retest/cache.db"))); // parsed again
  CHECK(project.run({"diff", "--format", "json"}).out == first.out);
  llvm::json::Value document = project.json();
  CHECK(document.getAsObject()->getObject("baseline")->getString("name") == "base");
  CHECK(count(document, "dangerous_edges") > 2);
}

TEST_CASE("diff: each coarser level holds the functions of the finer one") {
  RecordedProject project;
  project.write("src/shape.cpp", kEdited);
  auto at = [&](const char *level) {
    return dangerousFunctions(project.json({"--granularity", level}));
  };
  CHECK(at("edges") == std::set<std::string>{"total(Shape&)"});
  CHECK(at("functions") == at("edges"));
  CHECK(at("files") == std::set<std::string>{"total(Shape&)", "Shape::~Shape()"});
}

TEST_CASE("diff: pictures, and output to a file") {
  RecordedProject project;
  project.write("src/shape.cpp", kEdited);
  Outcome dot = project.run({"diff", "--format", "dot"});
  CHECK(dot.says("digraph \"base -> work tree\""));
  CHECK(dot.says("color=\"#d50000\""));
  Outcome svg = project.run({"diff", "total", "--format", "svg", "-o", project.path("d.svg")});
  CHECK(svg.code == 0);
  CHECK(svg.out == "");
  std::ifstream file(project.path("d.svg"));
  std::string picture{std::istreambuf_iterator<char>(file), {}};
  CHECK(picture.find("<svg") != std::string::npos);
  CHECK(picture.find("#d50000") != std::string::npos);
}

TEST_CASE("diff: two build directories") {
  SmallProject one, two;
  two.write("src/shape.cpp", kEdited);
  std::vector<std::string> arguments = {"diff",       "--from",          one.path("build"),
                                        "--to",       two.path("build"), "--from-root",
                                        one.path(""), "--to-root",       two.path("")};
  Outcome diff = runRetest(arguments);
  CHECK_MESSAGE(diff.code == 0, diff.err);
  CHECK(diff.says("src/shape.cpp\n  total(Shape&)  line 3\n"));
  CHECK(diff.says("    -*     4   return s.area();\n    +      4   return s.area() + 1;\n"));
  CHECK(diff.says("\n1 function changed, 1 dangerous edge in 1 function\n"));
  arguments[4] = one.path("build");
  arguments[8] = one.path("");
  CHECK(runRetest(arguments).out ==
        "nothing differs between " + one.path("build") + " and " + one.path("build") + "\n");
}

TEST_CASE("diff: a baseline that was recorded in another way is not compared") {
  RecordedProject project;
  Outcome sensitive = project.run({"diff", "--line-sensitive"});
  CHECK(sensitive.code == 2);
  CHECK(sensitive.warns("base: recorded without --line-sensitive; leave it out here"));
  REQUIRE(project.run({"record", "--graph-only", "--name", "lines", "--line-sensitive"}).code == 0);
  CHECK(project.run({"diff", "--line-sensitive"}).out == "nothing changed since baseline lines\n");
  Outcome plain = project.run({"diff"});
  CHECK(plain.code == 2);
  CHECK(plain.warns("lines: recorded with --line-sensitive; add it here"));
}

TEST_CASE("diff: what is not there is named, with the way out") {
  SmallProject fresh;
  Outcome none = fresh.run({"diff"});
  CHECK(none.code == 6);
  CHECK(none.warns("retest.db: no such file; `retest record` makes it"));

  RecordedProject project;
  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  const Row rows[] = {
      {{"diff", "--base", "none"}, 2, "no baseline is named 'none'; it holds base"},
      {{"diff", "nonsense"}, 2, "nonsense: no function and no file of either version"},
      {{"diff", "--from", "a"}, 2, "--from: needs --to DIR"},
      {{"diff", "--to", "a"}, 2, "--to: needs --from DIR"},
      {{"diff", "--from", "a", "--to", "b"}, 2, "-p: not together with --from"},
      {{"diff", "--from", "a", "--to", "b", "--base", "x"}, 2, "--base: not together with --from"},
      {{"diff", "--to-root", "a"}, 2, "--from-root, --to-root: only together with --from and --to"},
      {{"diff", "--format", "xml"}, 2, "--format"},
      {{"diff", "--granularity", "lines"}, 2, "--granularity"},
      {{"diff", "-o", "/no/such/place"}, 3, "/no/such/place: cannot be written"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.message);
    Outcome outcome = project.run(row.arguments);
    CHECK(outcome.code == row.code);
    CHECK(outcome.out == "");
    CHECK_MESSAGE(outcome.warns(row.message), outcome.err);
  }
  Outcome missing =
      runRetest({"diff", "--from", project.path("none"), "--to", project.path("none")});
  CHECK(missing.code == 3);
  CHECK(missing.warns("none: no such build directory"));
}
