// What `retest select` prints is given to the runners themselves: what they execute is what was
// selected, and what was told beside it. The tests of the project have hostile names; each tells
// that it runs, and whether it calls what changes ("hot").
#include "tests/select_command/edited_copy.h"

#include <fstream>
#include <map>
#include <set>

using namespace retest;

namespace {

using Lines = std::set<std::string>;

Lines linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  text.split(parts, '\n', -1, false);
  Lines lines;
  for (llvm::StringRef part : parts)
    lines.insert(part.str());
  return lines;
}

/// The texts behind a word at the beginning of lines.
Lines behind(const Lines &lines, llvm::StringRef word) {
  Lines result;
  for (llvm::StringRef line : lines)
    if (line.consume_front(word))
      result.insert(line.str());
  return result;
}

Lines without(Lines all, const Lines &some) {
  for (const std::string &each : some)
    all.erase(each);
  return all;
}

std::string shown(const Lines &lines) { return llvm::join(lines, "\n"); }

class Runners {
public:
  Runners() : copy_(PROJECT_DIRECTORY) {}

  const EditedCopy &copy() const { return copy_; }
  std::string program(const std::string &name) const { return copy_.path("build-retest/" + name); }
  std::string file(const std::string &name) const { return directory_ / name; }

  void build() const { copy_.command({"cmake", "--build", "build-retest"}); }

  /// What the tests tell that a command runs: "hot google_test::Plain.hot".
  Lines ran(const std::vector<std::string> &command, int *code = nullptr) const {
    std::string told = directory_.write("ran", "");
    llvm::Expected<ProcessResult> result = runProcess({.arguments = command,
                                                       .directory = copy_.path("build-retest"),
                                                       .environment = {{"RETEST_RAN", told}}});
    REQUIRE(!!result);
    INFO(result->errors);
    if (code)
      *code = result->exitCode;
    else
      CHECK(result->exitCode == 0);
    std::ostringstream text;
    text << std::ifstream(told).rdbuf();
    return linesOf(text.str());
  }
  Lines ranByShell(const std::string &script, int *code = nullptr) const {
    return ran({"sh", "-e", directory_.write("script", script)}, code);
  }

  /// What a format tells of itself; and by whom, on standard error, what runs beside it.
  std::string select(std::vector<std::string> options) {
    options.insert(options.begin(), {"-v", "select"});
    Outcome outcome = copy_.run(options);
    INFO(llvm::join(options, " "));
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    extra_.clear();
    Lines told =
        behind(linesOf(outcome.err), "retest: not selected, but with this filter they run too: ");
    if (!told.empty()) {
      llvm::SmallVector<llvm::StringRef, 16> ids;
      llvm::StringRef(*told.begin()).split(ids, ", ");
      for (llvm::StringRef id : ids)
        extra_.insert(id.str());
    }
    return outcome.out;
  }
  const Lines &extra() const { return extra_; }

private:
  EditedCopy copy_;
  TemporaryDirectory directory_;
  Lines extra_;
};

/// Recorded once; each test case leaves the tree as it was.
Runners &runners() {
  static Runners all;
  return all;
}

struct Program {
  const char *format, *name;
  Lines extra; ///< what its exclude form cannot leave out
};

const std::vector<Program> kPrograms = {
    {"gtest",
     "google_test",
     {"google_test::Odd.a-bcold", "google_test::Odd.a:bcold", "google_test::Odd.exclude:thiscold",
      "google_test::Odd.star*cold", "google_test::Odd.what?cold"}},
    {"gtest", "google_more_test", {}},
    {"catch2", "catch_test", {"catch_test::*star cold"}},
    {"doctest", "doc_test", {"doc_test::*star cold", "doc_test::same"}},
    {"boost", "boost_test", {}},
};

/// A start of the program for each line that was printed.
Lines ranWith(const Program &program, const std::string &printed, int *code = nullptr) {
  std::string path = runners().program(program.name);
  std::string file = runners().file("filter");
  std::ofstream(file) << printed;
  if (program.format == std::string("gtest"))
    return runners().ran({path, "--gtest_flagfile=" + file}, code);
  if (program.format == std::string("catch2"))
    return runners().ran({path, "-f", file}, code);
  std::string script;
  for (const std::string &line : linesOf(printed))
    script += path + " " + line + "\n";
  return runners().ranByShell(script, code);
}

std::string selectFor(const Program &program, const std::string &form) {
  return runners().select({"-f", program.format, "--binary", program.name, "--form", form});
}

/// Usually hidden, but an entry of CTest asks for it.
const std::string kWoken = "catch_test::hidden and hot";

/// What runs without any filter.
Lines ranUsually(const Program &program) {
  return runners().ran({runners().program(program.name)});
}

} // namespace

TEST_CASE("formats: each framework runs what is selected, and what is told beside it") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  runners().build();
  for (const Program &program : kPrograms) {
    CAPTURE(program.name);
    Lines all = ranUsually(program);
    Lines hot = behind(all, "hot "), cold = behind(all, "cold ");
    REQUIRE(!hot.empty());
    REQUIRE(!cold.empty());
    if (program.format == std::string("catch2"))
      hot.insert(kWoken);
    for (const char *form : {"include", "exclude"}) {
      CAPTURE(form);
      Lines ran = ranWith(program, selectFor(program, form));
      CHECK(shown(behind(ran, "hot ")) == shown(hot));
      CHECK(shown(behind(ran, "cold ")) == shown(runners().extra()));
      CHECK(shown(runners().extra()) ==
            shown(form == std::string("include") ? Lines() : program.extra));
    }
  }
}

TEST_CASE("json: names are the framework's own, ids are unique") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  llvm::json::Object answer = runners().copy().json();
  std::map<std::string, std::string> names;
  for (const char *list : {"selected", "skipped", "disabled"})
    for (const llvm::json::Value &value : *answer.getArray(list)) {
      const llvm::json::Object &test = *value.getAsObject();
      CHECK(names.emplace(test.getString("id")->str(), test.getString("name")->str()).second);
    }
  CHECK(names.at("doc_test::same (first)") == "same");
  CHECK(names.at("doc_test::same (second)") == "same");
  CHECK(names.at("catch_test::hidden and hot [catch_hidden]") == "hidden and hot");
  CHECK(names.at("google_test::One/Values.either/0") == "One/Values.either/0");
  CHECK(names.at("[bracket hot") == "[bracket hot");
}

TEST_CASE("formats: CTest, and what it executed is verified") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  runners().build();
  for (const char *form : {"include", "exclude"}) {
    CAPTURE(form);
    std::string arguments = runners().select({"-f", "ctest", "--form", form});
    CHECK(runners().extra().empty());
    std::string report = runners().file("ctest.xml");
    Lines ran = runners().ranByShell("ctest --output-junit " + report + " " + arguments);
    Lines coldPlain;
    for (const std::string &test : behind(ran, "cold tool_test::"))
      coldPlain.insert(test);
    CHECK(shown(coldPlain) == "");
    CHECK(behind(ran, "hot tool_test::").size() == 21);
    CHECK(behind(ran, "hot google_more_test::").size() == 1);
    CHECK(behind(ran, "cold google_more_test::").empty());
    Outcome verified = runners().copy().run({"verify", report});
    CHECK(verified.code == 0);
    CHECK(!verified.says("missing"));
  }
}

TEST_CASE("formats: CTest, for entries that are there only after the build") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  for (const char *form : {"include", "exclude"}) {
    CAPTURE(form);
    std::filesystem::remove(runners().program("google_more_test"));
    std::filesystem::remove(runners().program("google_more_test[1]_tests.cmake"));
    std::string arguments = runners().select({"-f", "ctest", "--form", form});
    runners().build();
    Lines ran = runners().ranByShell("ctest " + arguments);
    CHECK(shown(behind(ran, "hot google_more_test::")) == "More.hot");
    CHECK(shown(behind(ran, "cold google_more_test::")) == "");
    CHECK(behind(ran, "hot tool_test::").size() == 21);
  }
}

TEST_CASE("formats: commands for a shell") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  runners().build();
  Lines all = runners().ran({"ctest", "-j2"});
  for (const char *form : {"include", "exclude"}) {
    CAPTURE(form);
    Lines ran = runners().ranByShell(runners().select({"-f", "args", "--form", form}));
    CHECK(shown(behind(ran, "hot ")) == shown(behind(all, "hot ")));
    CHECK(shown(behind(ran, "cold ")) == shown(runners().extra()));
  }
}

TEST_CASE("formats: nothing is selected, and nothing of it is taken for everything") {
  Edit comment(runners().copy(), "code.cpp", "int hot(", "// nothing\nint hot(");
  for (const Program &program : kPrograms) {
    CAPTURE(program.name);
    std::string printed = selectFor(program, "include");
    CHECK(printed != "\n");
    CHECK(printed != "");
    int code = 0;
    CHECK(shown(ranWith(program, printed, &code)) == "");
    CHECK(code == (program.format == std::string("boost") ? 200 : 0));
    Lines ran = ranWith(program, selectFor(program, "exclude"), &code);
    Lines names = behind(ran, "cold ");
    for (const std::string &name : behind(ran, "hot "))
      names.insert(name);
    CHECK(shown(names) == shown(runners().extra()));
  }
  for (const char *form : {"include", "exclude"}) {
    CAPTURE(form);
    std::string arguments = runners().select({"-f", "ctest", "--form", form});
    CHECK(arguments != "\n");
    CHECK(shown(runners().ranByShell("ctest " + arguments)) == "");
    CHECK(runners().select({"-f", "args", "--form", form}) == "");
    CHECK(runners().select({"-f", "build-targets", "--form", form}) == "");
    CHECK(runners().select({"-f", "ninja", "--form", form}) == "");
  }
}

TEST_CASE("formats: new tests run though no list has them") {
  Edit google(runners().copy(), "google_test.cpp", "TEST(Plain, cold)",
              "TEST(Plain, fresh) { run(false); }\nTEST(Plain, cold)");
  Edit values(runners().copy(), "google_more_test.cpp", "TEST(More, hot)",
              "struct P : testing::TestWithParam<int> {};\n"
              "TEST_P(P, fresh) { tell(PROGRAM, \"P.fresh\", false); }\n"
              "INSTANTIATE_TEST_SUITE_P(I, P, testing::Values(1));\nTEST(More, hot)");
  Edit catched(runners().copy(), "catch_test.cpp", "TEST_CASE(\"plain hot\")",
               "TEST_CASE(\"fresh, [new]\") { run(false); }\nTEST_CASE(\"plain hot\")");
  // The name is known, in another suite.
  Edit doc(runners().copy(), "doc_test.cpp", "TEST_SUITE(\"second\") {",
           "TEST_SUITE(\"third\") {\n  TEST_CASE(\"first's own\") { run(\"third's\", false); }\n}\n"
           "TEST_SUITE(\"second\") {");
  // It does not run without one that is skipped.
  Edit boost(runners().copy(), "boost_test.cpp", "BOOST_AUTO_TEST_SUITE(outer)",
             "BOOST_AUTO_TEST_CASE(fresh, *utf::depends_on(\"top_cold\")) { run(false); }\n"
             "BOOST_AUTO_TEST_SUITE(outer)");
  runners().build();
  const Lines fresh = {"google_test::Plain.fresh", "google_more_test::P.fresh",
                       "catch_test::fresh, [new]", "doc_test::third's", "boost_test::fresh"};
  for (const Program &program : kPrograms) {
    CAPTURE(program.name);
    Lines ran = ranWith(program, selectFor(program, "exclude"));
    Lines found;
    for (const std::string &test : behind(ran, "cold "))
      if (fresh.count(test))
        found.insert(test);
    CHECK(found.size() == 1);
  }
  Lines byCTest = runners().ranByShell("ctest " + runners().select({"-f", "ctest"}));
  CHECK(shown(without(fresh, behind(byCTest, "cold "))) == "");
  Lines byShell = runners().ranByShell(runners().select({"-f", "args"}));
  CHECK(shown(without(fresh, behind(byShell, "cold "))) == "");
}

TEST_CASE("formats: what has to be built") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  std::string targets = runners().select({"-f", "build-targets"});
  CHECK(targets == "boost_test\ncatch_test\ndoc_test\ngoogle_more_test\ngoogle_test\ntool_test\n");
  CHECK(runners().select({"-f", "ninja"}) == targets);
  runners().copy().command(
      {"sh", "-c", "echo '" + targets + "' | xargs cmake --build build-retest --target"});
  Edit one(runners().copy(), "code.cpp", "return a + 2;", "return a + 1;");
  Edit other(runners().copy(), "doc_test.cpp", "TEST_CASE(\"first's own\") {",
             "TEST_CASE(\"first's own\") { cold(2);");
  CHECK(runners().select({"-f", "build-targets"}) == "doc_test\n");
  CHECK(runners().select({"-f", "ninja"}) == "doc_test\n");
}

TEST_CASE("formats: lists for CMake") {
  Edit other(runners().copy(), "doc_test.cpp", "TEST_CASE(\"first's own\") {",
             "TEST_CASE(\"first's own\") { cold(2);");
  Outcome brackets = runners().copy().run({"select", "-f", "cmake"});
  CHECK(brackets.code == 3);
  CHECK(brackets.out == "");
  CHECK_MESSAGE(brackets.warns("cannot be an element of a list of CMake"), brackets.err);
}

TEST_CASE("formats: which program") {
  Outcome several = runners().copy().run({"select", "-f", "gtest"});
  CHECK(several.code == 2);
  CHECK(several.out == "");
  CHECK(several.warns("--binary, one of <build>/google_more_test, <build>/google_test"));
  CHECK(runners().copy().run({"select", "-f", "gtest", "--binary", "doc_test"}).code == 2);
  CHECK(runners().copy().run({"select", "-f", "doctest"}).code == 0);
  CHECK(runners().copy().run({"select", "-f", "doctest", "--binary", "<build>/doc_test"}).code ==
        0);
}

TEST_CASE("formats: without a baseline everything runs, or nothing is said") {
  setenv("RETEST_STORE", runners().file("no such store").c_str(), 1);
  for (const Program &program : kPrograms) {
    CAPTURE(program.name);
    Lines all = ranUsually(program);
    CHECK(shown(ranWith(program, selectFor(program, "exclude"))) == shown(all));
    Outcome included = runners().copy().run(
        {"select", "-f", program.format, "--binary", program.name, "--form", "include"});
    CHECK(included.code == 3);
    CHECK(included.out == "");
  }
  CHECK(runners().select({"-f", "ctest"}) == "--no-tests=error\n");
  CHECK(runners().copy().run({"select", "-f", "ctest", "--form", "include"}).code == 3);
  CHECK(runners().select({"-f", "build-targets"}) == "all\n");
  CHECK(runners().select({"-f", "ninja"}) == "all\n");
  CHECK(runners().copy().run({"select", "-f", "cmake"}).code == 3);
  CHECK(runners().copy().run({"verify", PROJECT_DIRECTORY "/CMakeLists.txt"}).code == 3);
  unsetenv("RETEST_STORE");
}

TEST_CASE("verify: reports of all runners, whole and with something missing") {
  Edit change(runners().copy(), "code.cpp", "return a + 1;", "return a + 2;");
  runners().build();
  runners().select({"-f", "list"});
  const std::string google = runners().file("google.xml"), more = runners().file("more.xml"),
                    catched = runners().file("catch.xml"), doc = runners().file("doc.xml"),
                    boost = runners().file("boost.xml"), ctest = runners().file("ctest.xml"),
                    hidden = runners().file("hidden.xml");
  auto run = [](const std::string &program, const std::vector<std::string> &arguments) {
    std::vector<std::string> command = {runners().program(program)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    runners().ran(command);
  };
  run("google_test", {"--gtest_output=xml:" + google});
  run("google_more_test", {"--gtest_output=xml:" + more});
  run("catch_test", {"-r", "junit", "-o", catched});
  run("catch_test", {"-r", "xml", "-o", hidden, "hidden and hot"});
  run("doc_test", {"-r=junit", "-o=" + doc});
  run("boost_test", {"--logger=JUNIT,all," + boost});
  runners().ranByShell("ctest --output-junit " + ctest + " -E '^(google|catch|doc|boost|More)'");
  Outcome all = runners().copy().run({"verify", google, more, catched, hidden, doc, boost, ctest});
  CHECK(all.code == 0);
  CHECK(all.warns("selected tests were executed"));
  CHECK(!all.says("missing"));
  CHECK(!all.says("unknown"));
  CHECK(all.says("extra google_test::Plain.cold\n"));

  run("google_more_test", {"--gtest_output=xml:" + more, "--gtest_filter=-*.hot"});
  run("boost_test", {"--logger=JUNIT,all," + boost, "--run_test=!outer/hot_case"});
  run("doc_test", {"-r=xml", "-o=" + doc, "-ts=second,first", "-tse=first"});
  Outcome less = runners().copy().run(
      {"verify", "google_test=" + google, more, catched, hidden, doc, boost, ctest});
  CHECK(less.code == 1);
  CHECK(less.says("missing google_more_test::More.hot\n"));
  CHECK(less.says("missing boost_test::outer/hot_case\n"));
  CHECK(less.says("missing doc_test::same (first)\n"));
  CHECK(less.says("missing doc_test::a,b hot\n"));
  CHECK(!less.says("missing boost_test::top_hot\n"));
  CHECK(less.says("extra doc_test::same (second)\n"));

  CHECK(runners().copy().run({"verify"}).code == 2);
  CHECK(runners().copy().run({"verify", "no such file"}).code == 3);
  CHECK(runners().copy().run({"verify", "nobody=" + google}).code == 2);
}

TEST_CASE("verify: a test that the change removes need not run") {
  Edit removed(runners().copy(), "google_more_test.cpp", "TEST(More, hot)", "TEST(More, warm)");
  runners().build();
  runners().select({"-f", "list"});
  std::string report = runners().file("more.xml");
  runners().ran({runners().program("google_more_test"), "--gtest_output=xml:" + report});
  Outcome verified = runners().copy().run({"verify", report});
  CHECK(verified.code == 0);
  CHECK(verified.says("gone google_more_test::More.hot\n"));
}
