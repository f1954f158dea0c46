// Who reaches what, on a small project whose matrix is written by hand.
#include "db/store.h"
#include "tests/cli/small_project.h"
#include "tests/notation/matrix.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

/// The small project with one more unit, recorded, and with tests.
class TestedProject : public SmallProject {
public:
  TestedProject() {
    write("src/sign.cpp", "int sign(int x) {\n" // 1
                          "  if (x < 0)\n"      // 2
                          "    return -1;\n"    // 3
                          "\n"                  // 4
                          "  return 1;\n"       // 5
                          "}\n"                 // 6
                          "\n"                  // 7
                          "int signs() { return sign(1); }\n");
    configure({"src/shape.cpp", "src/main.cpp", "src/sign.cpp"});
    REQUIRE(run({"record", "--graph-only", "--name", "graph"}).code == 0);
    Store store = llvm::cantFail(Store::open(path("build/.retest/retest.db"), OpenMode::Write));
    Names names;
    Baseline baseline = llvm::cantFail(store.loadBaseline("graph", names));
    std::string text = "calc_test::Low: " + crossing(baseline, names, 3) +
                       "\ncalc_test::High: " + crossing(baseline, names, 5) +
                       "\nscript: total(Shape&)* + makes Square"
                       "\ncalc_test::Slow! it timed out"
                       "\nshapes: Shape::area()* + total(Shape&)*";
    CoverageMatrix coverage = matrix(text, baseline.units, names);
    BaselineInfo info{"tested", "", "2025-01-31T12:00:00Z", ""};
    std::vector<NamedUnit> units;
    for (const UnitRecord &unit : baseline.units)
      units.push_back({&unit, &names});
    llvm::cantFail(store.saveBaseline(info, {units}, {&baseline.plan, &names}, &coverage));
  }

private:
  /// "sign(int) + sign(int)#2": the entry, and the edge to the node on that line.
  static std::string crossing(const Baseline &baseline, const Names &names, std::uint32_t line) {
    for (const UnitRecord &unit : baseline.units)
      for (const Function &function : unit.graph.functions) {
        const FlowGraph &flow = function.flow;
        if (names.text(function.name) != "sign(int)")
          continue;
        std::string text = "sign(int) + sign(int)#0";
        for (std::size_t i = 0; i < flow.edges.size(); ++i)
          for (const Element &element : flow.nodes[flow.edges[i].to.value].elements)
            if (element.where.begin.line == line)
              return text + fmt::format(" + sign(int)#{}", i);
      }
    FAIL("no node on line " << line);
    return "";
  }
};

} // namespace

TEST_CASE("who: one row per question") {
  TestedProject project;
  struct Row {
    const char *what, *tests;
  };
  const Row rows[] = {
      {"sign", "calc_test::High\ncalc_test::Low\n"},
      {"sign(int)", "calc_test::High\ncalc_test::Low\n"},
      {"src/sign.cpp:2", "calc_test::High\ncalc_test::Low\n"},
      {"src/sign.cpp:3", "calc_test::Low\n"},
      {"sign.cpp:3", "calc_test::Low\n"},
      {"src/sign.cpp:5", "calc_test::High\n"},
      {"src/sign.cpp:4", "calc_test::High\ncalc_test::Low\n"}, // between nodes: the function
      {"total", "script\nshapes\n"},
      {"Shape::area", "shapes\n"},
      {"include/shape.h:1", "shapes\n"}, // the methods of one line, whichever units have them
      {"signs", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    Outcome outcome = project.run({"who", row.what});
    CHECK(outcome.code == 0);
    CHECK(outcome.out == row.tests);
    CHECK(outcome.warns("not measured, always selected: 1\n"));
    CHECK(outcome.warns("calc_test::Slow  it timed out"));
  }
}

TEST_CASE("who: JSON, another baseline, a file to write to") {
  TestedProject project;
  auto parsed = llvm::json::parse(project.run({"who", "sign.cpp:3", "--json"}).out);
  REQUIRE(static_cast<bool>(parsed));
  const llvm::json::Object &answer = *parsed->getAsObject();
  CHECK(answer.getInteger("schema_version") == 1);
  CHECK(answer.getString("baseline") == "tested");
  CHECK(*answer.getArray("functions") == llvm::json::Array{"sign(int)  src/sign.cpp:1"});
  CHECK(*answer.getArray("tests") == llvm::json::Array{"calc_test::Low"});
  CHECK(*answer.getArray("unmeasured") ==
        llvm::json::Array{
            llvm::json::Object{{"test", "calc_test::Slow"}, {"reason", "it timed out"}}});
  CHECK(project.run({"who", "sign", "--base", "tested"}).out ==
        "calc_test::High\ncalc_test::Low\n");
  Outcome quiet = project.run({"who", "sign", "-q", "-o", project.path("tests.txt")});
  CHECK(quiet.code == 0);
  CHECK(quiet.out == "");
  CHECK(quiet.err == "");
}

TEST_CASE("who: what is not there is named, with what is near") {
  TestedProject project;
  struct Row {
    std::vector<std::string> arguments;
    int code;
    const char *message;
  };
  const Row rows[] = {
      {{"who", "sing"},
       2,
       "sing: no function of baseline tested has this name; did you mean "
       "sign(int)"},
      {{"who", "src/sgn.cpp:3"}, 2, "did you mean src/sign.cpp?"},
      {{"who", "src/sign.cpp:7"},
       2,
       "src/sign.cpp:7: no function of the baseline is on this line; near is sign"},
      {{"who", "src/sign.cpp:0"}, 2, "src/sign.cpp:0: no function"},
      {{"who", "sign", "--base", "graph"}, 2, "graph: this baseline is of the graph alone"},
      {{"who", "sign", "--base", "none"}, 2, "none"},
      {{"who"}, 2, "what is required"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.message);
    Outcome outcome = project.run(row.arguments);
    CHECK(outcome.code == row.code);
    CHECK(outcome.out == "");
    CHECK_MESSAGE(outcome.warns(row.message), outcome.err);
  }
}

TEST_CASE("db: info, check, gc, export and import") {
  TestedProject project;
  Outcome info = project.run({"db", "info"});
  CHECK(info.code == 0);
  CHECK(info.says("baselines  2, newest first\n\ntested\n  recorded  2025-01-31T12:00:00Z\n"));
  CHECK(info.says("  tests     5: 4 measured, 1 not; coverage "));
  CHECK(info.says("  tests     none: of the graph alone\n"));
  auto parsed = llvm::json::parse(project.run({"db", "info", "--json"}).out);
  REQUIRE(static_cast<bool>(parsed));
  const llvm::json::Array &baselines = *parsed->getAsObject()->getArray("baselines");
  REQUIRE(baselines.size() == 2);
  CHECK(baselines[0].getAsObject()->getInteger("unmeasured") == 1);
  CHECK(project.run({"db", "check"}).out == "2 baselines, all whole\n");

  // Both were named by hand.
  CHECK(project.run({"db", "gc", "--keep", "0", "-n"}).out == "");
  CHECK(project.run({"db", "gc"}).says("2 of 2 baselines kept, "));

  project.git({"init", "-q"});
  project.git({"add", "src", "include"});
  project.git({"commit", "-q", "-m", "one"});
  REQUIRE(project.run({"record", "--graph-only"}).code == 0); // named by its commit
  CHECK(project.run({"db", "gc", "-n"}).out == "");
  CHECK(project.run({"db", "gc", "--keep", "0", "--dry-run"}).says("would remove "));
  CHECK(project.run({"db", "check"}).out == "3 baselines, all whole\n");
  Outcome pruned = project.run({"db", "gc", "--keep", "0"});
  CHECK(pruned.out.find("removed ") == 0);
  CHECK(pruned.says("\n2 of 3 baselines kept, "));

  std::string file = project.path("export.zst");
  CHECK(project.run({"db", "export", "tested", "-o", file}).code == 0);
  Outcome again = project.run({"db", "import", file});
  CHECK(again.code == 2);
  CHECK(again.warns("holds a baseline tested already; --force replaces it"));
  CHECK(project.run({"db", "import", file, "--force"}).out == "imported tested\n");
  CHECK(project.run({"db", "check"}).code == 0);
  CHECK(project.run({"who", "sign.cpp:3"}).out == "calc_test::Low\n");

  Outcome elsewhere = runRetest({"db", "import", file, "--store", project.path("other.db")});
  CHECK(elsewhere.out == "imported tested\n");
  std::string bytes = project.run({"db", "export", "tested"}).out;
  CHECK(bytes.size() > 1000);
  CHECK(runRetest({"db", "export", "--store", project.path("other.db")}).out == bytes);
  CHECK(bytes.find(project.path("")) == std::string::npos);
}

TEST_CASE("db: what cannot be done is said, and nothing is lost") {
  TestedProject project;
  project.write("bad.zst", "not an export");
  struct Row {
    std::vector<std::string> arguments;
    int code;
    const char *message;
  };
  const Row rows[] = {
      {{"db"}, 2, "subcommand is required"},
      {{"db", "import", project.path("bad.zst")}, 3, "bad.zst: cannot be imported: not compressed"},
      {{"db", "import", project.path("none.zst")}, 3, "none.zst: cannot be imported: No such file"},
      {{"db", "export", "none"}, 2, "no baseline is named 'none'"},
      {{"db", "info", "--store", project.path("none.db")}, 6, "none.db: no such file"},
      {{"db", "check", "--store", project.path("bad.zst")}, 6, "not a database of retest"},
  };
  std::string before = project.run({"db", "export"}).out;
  for (const Row &row : rows) {
    CAPTURE(row.message);
    Outcome outcome = project.run(row.arguments);
    CHECK(outcome.code == row.code);
    CHECK(outcome.out == "");
    CHECK_MESSAGE(outcome.warns(row.message), outcome.err);
  }
  CHECK(project.run({"db", "export"}).out == before);
}
