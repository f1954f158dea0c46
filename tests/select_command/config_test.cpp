// retest.toml from end to end: on a recorded project, with one configuration after the other.
#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

/// Recorded once; each test case leaves the tree as it was.
const EditedCopy &calc() {
  static const EditedCopy copy = [] {
    for (const char *name : {"CI", "RETEST_PROFILE", "RETEST_BUILD_DIR"})
      unsetenv(name);
    return EditedCopy(PROJECT_DIRECTORY);
  }();
  return copy;
}

const std::string kAll = "calc_test::Add.Negative calc_test::Add.Positive calc_test::Data.Missing "
                         "calc_test::Data.Read calc_test::Subtract.Any tool_add tool_nothing";

/// A file that is there as long as this lives.
class Written {
public:
  Written(std::string name, const std::string &text) : path_(calc().path(name)) {
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    std::ofstream(path_) << text;
  }
  Written(const Written &) = delete;
  Written &operator=(const Written &) = delete;
  ~Written() { std::filesystem::remove(path_); }

private:
  std::string path_;
};

class Variable {
public:
  Variable(const char *name, const std::string &value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;
  ~Variable() { unsetenv(name_); }

private:
  const char *name_;
};

llvm::json::Object firstSelected(const llvm::json::Object &answer) {
  return *answer.getArray("selected")->front().getAsObject();
}

} // namespace

TEST_CASE("retest.toml: tests that always run") {
  CHECK(calc().selected() == "-");
  Written config("retest.toml", "always = ['Subtract.*', 'tool_add']");
  CHECK(calc().selected() == "calc_test::Subtract.Any tool_add");
  llvm::json::Object test = firstSelected(calc().json());
  CHECK(test.getString("verdict") == "always");
  CHECK(test.getArray("reasons")->front().getAsObject()->getString("rule") == "always");
  {
    Written byEntry("retest.toml", "always = ['calc_test']"); // the entry of CTest
    CHECK(calc().json().getArray("selected")->size() == 5);
  }
  Written mistyped("retest.toml", "always = ['Substract.*']");
  Outcome outcome = calc().run({"select"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.warns(
      "warning: retest.toml:1:11: 'always': no recorded test is called 'Substract.*'"));
}

TEST_CASE("retest.toml: triggers") {
  Written config("retest.toml", "[[triggers]]\nfiles = ['*.md']\n\n[[triggers]]\n"
                                "files = ['idl/**']\ntests = ['Data.*', 'tool_add']\n"
                                "reason = 'read by hand'\n");
  CHECK(calc().selected() == "-");
  {
    Written other("notes.txt", "");
    CHECK(calc().selected() == "-");
  }
  {
    Written file("deep/idl/x", "");
    CHECK(calc().selected() == "-");
  }
  {
    Written file("idl/deep/x", "");
    CHECK(calc().selected() == "calc_test::Data.Missing calc_test::Data.Read tool_add");
    llvm::json::Object test = firstSelected(calc().json());
    CHECK(test.getString("verdict") == "affected");
    const llvm::json::Object &reason = *test.getArray("reasons")->front().getAsObject();
    CHECK(reason.getString("rule") == "trigger");
    CHECK(reason.getString("change") == "idl/deep/x");
    CHECK(reason.getString("text").value_or("").str() ==
          "idl/deep/x changed, a trigger of retest.toml:4:1: read by hand");
  }
  {
    Written file("deep/README.md", "");
    CHECK(calc().selected() == kAll);
    CHECK(calc().json().getString("kind") == "all");
    CHECK(calc().run({"select", "--detailed-exit-code"}).code == 10);
  }
  CHECK(calc().selected() == "-");
}

TEST_CASE("retest.toml: triggers see commits, and files that go") {
  calc().write("guide.md", "one");
  calc().git({"add", "guide.md"});
  calc().git({"commit", "-q", "-m", "guide"});
  Written config("retest.toml", "triggers = [{files = ['*.md'], tests = ['tool_add']}]");
  CHECK(calc().selected() == "tool_add"); // since the baseline
  calc().succeed({"record"});
  CHECK(calc().selected() == "-");
  std::filesystem::remove(calc().path("guide.md"));
  CHECK(calc().selected() == "tool_add");
  calc().write("guide.md", "one");
  CHECK(calc().selected() == "-");
}

TEST_CASE("retest.toml: triggers where the baseline is of an edited tree, or there is no git") {
  calc().write("guide.md", "two"); // differs from its commit
  calc().succeed({"record", "--name", "edited"});
  Written config("retest.toml", "triggers = [{files = ['guide.md'], tests = ['tool_add']}]");
  calc().git({"checkout", "-q", "guide.md"}); // as the commit has it, but not as recorded
  CHECK(calc().selected({"--base", "edited"}) == "tool_add");
  std::filesystem::rename(calc().path(".git"), calc().path("hidden"));
  CHECK(calc().selected({"--base", "edited"}) == "tool_add");
  std::filesystem::rename(calc().path("hidden"), calc().path(".git"));
}

TEST_CASE("retest.toml: quarantine, as long as it holds") {
  Written config("retest.toml", "[[quarantine]]\ntest = 'calc_test::Add.*'\nuntil = 2999-12-31\n"
                                "reason = 'slow'\n[[quarantine]]\ntest = 'tool_*'\n"
                                "until = 2001-02-03\n");
  CHECK(calc().selected() == "calc_test::Add.Negative calc_test::Add.Positive"); // they run
  llvm::json::Object answer = calc().json();
  llvm::json::Object first = firstSelected(answer);
  CHECK(first.getString("verdict") == "always");
  CHECK(first.getArray("reasons")->front().getAsObject()->getString("rule") == "quarantine");
  const llvm::json::Array &tests = *answer.getArray("quarantined");
  REQUIRE(tests.size() == 2);
  const llvm::json::Object &test = *tests[0].getAsObject();
  CHECK(test.getString("id") == "calc_test::Add.Negative");
  CHECK(test.getString("until") == "2999-12-31");
  CHECK(test.getString("reason") == "slow");
  Outcome text = calc().run({"select", "-f", "text"});
  CHECK(text.says("in quarantine:\n  calc_test::Add.Negative  until 2999-12-31: slow\n"
                  "  calc_test::Add.Positive  until 2999-12-31: slow\n"));
  CHECK(text.code == 0);
  CHECK(text.warns("error: retest.toml:6:8: the quarantine of 'tool_*' ended on 2001-02-03 and no "
                   "longer holds"));
}

TEST_CASE("retest.toml: profiles") {
  Written config("retest.toml", "always = ['tool_add']\n[profile.ci]\nalways = ['tool_nothing']\n"
                                "[profile.none]\nalways = []\n");
  CHECK(calc().selected() == "tool_add");
  CHECK(calc().selected({"--profile", "none"}) == "-");
  {
    Variable ci("CI", "true");
    CHECK(calc().selected() == "tool_nothing");
    CHECK(calc().selected({"--profile", "default"}) == "tool_add");
    Variable profile("RETEST_PROFILE", "none");
    CHECK(calc().selected() == "-");
    CHECK(calc().selected({"--profile", "ci"}) == "tool_nothing");
  }
  Outcome unknown = calc().run({"select", "--profile", "nono"});
  CHECK(unknown.code == 2);
  CHECK(unknown.warns("retest.toml: no profile is called 'nono' (did you mean 'none'?)"));
  std::filesystem::remove(calc().path("retest.toml"));
  Outcome none = calc().run({"select", "--profile", "none"});
  CHECK(none.code == 2);
  CHECK(none.warns("profile 'none': "));
}

TEST_CASE("retest.toml: the build directory; options and variables come first") {
  Written config("retest.toml", "build = 'no-such-directory'");
  Outcome wrong = calc().run({"select", "-f", "json"});
  CHECK(wrong.says("no-such-directory"));
  CHECK(wrong.says("\"kind\": \"all\""));
  CHECK(calc().selected({"-p", "build-retest"}) == "-");
  Variable variable("RETEST_BUILD_DIR", "build-retest");
  CHECK(calc().selected() == "-");
  Written profile("retest.toml", "build = 'no-such-directory'\n[profile.x]\nbuild='build-retest'");
  unsetenv("RETEST_BUILD_DIR");
  CHECK(calc().selected({"--profile", "x"}) == "-");
}

TEST_CASE("retest.toml: what is wrong is an error of every command, and no selection") {
  struct Row {
    const char *text, *problem;
  };
  const Row rows[] = {
      {"alway = []",
       "retest.toml:1:1: 'alway': there is no such key here (did you mean 'always'?)"},
      {"build = ", "retest.toml:1:9: "},
      {"always = 1\nroots = 2", "retest.toml:2:9: 'roots': a list of texts is wanted"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    Written config("retest.toml", row.text);
    for (const char *command : {"select", "record", "diff"})
      for (bool hasBuild : {false, true}) {
        Outcome outcome =
            calc().run(hasBuild ? std::vector<std::string>{command, "-p", "build-retest"}
                                : std::vector<std::string>{command});
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK_MESSAGE(outcome.warns(row.problem), outcome.err);
      }
  }
  Written config(".config/retest.toml", "always = ['tool_add']");
  CHECK(calc().selected() == "tool_add");
  CHECK(runRetest({"-C", calc().path("build-retest"), "select"}).out == "tool_add\n");
  Written second("retest.toml", "");
  CHECK(calc().run({"select"}).code == 2);
  CHECK(calc().run({"select"}).warns(".config/retest.toml: there is retest.toml as well"));
}

TEST_CASE("retest.toml: files in declared roots are watched") {
  TemporaryDirectory directory;
  directory.write("data/in.txt", "1");
  directory.write("project/main.cpp",
                  "#include <fstream>\n"
                  "int main(int n, char **v) { return n > 1 && !std::ifstream(v[1]).good(); }\n");
  directory.write("project/CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\nenable_testing()\n"
                  "add_executable(reader main.cpp)\n"
                  "add_test(NAME reads COMMAND reader ${CMAKE_SOURCE_DIR}/../data/in.txt)\n"
                  "add_test(NAME other COMMAND reader)\n");
  directory.write("project/retest.toml", "build = 'build-it'\nroots = ['../data']\n");
  auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", directory / "project"});
    Outcome outcome = runRetest(arguments);
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  run({"init"});
  CHECK(std::filesystem::exists(directory / "project/build-it/CMakeCache.txt"));
  run({"record"});
  CHECK(run({"select", "-f", "list"}) == "");
  directory.write("data/in.txt", "2");
  CHECK(run({"select", "-f", "list"}) == "reads\n");
  directory.write("data/in.txt", "1");
  CHECK(run({"select", "-f", "list"}) == "");
  directory.write("project/retest.toml", "build = 'build-it'\nroots = ['../data', '../more']\n");
  CHECK(run({"select", "-f", "list"}) == "other\nreads\n"); // nobody has watched the second
}
