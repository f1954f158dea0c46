#include "tests/select_command/edited_copy.h"

#include <llvm/Support/JSON.h>

#include <map>
#include <set>

using namespace retest;

namespace {

const EditedCopy &project() {
  static const EditedCopy copy(PROJECT_DIRECTORY);
  return copy;
}

/// The tests that `meson test` ran last, and how they ended.
std::map<std::string, std::string> ran() {
  std::map<std::string, std::string> outcomes;
  std::istringstream lines(project().read("build-retest/meson-logs/testlog.json"));
  for (std::string line; std::getline(lines, line);) {
    llvm::json::Value test = llvm::cantFail(llvm::json::parse(line));
    std::string name = test.getAsObject()->getString("name")->str();
    if (std::size_t slash = name.rfind(" / "); slash != std::string::npos)
      name.erase(0, slash + 3); // the suite
    outcomes[name] = test.getAsObject()->getString("result")->str();
  }
  return outcomes;
}

/// What runs with the filter for Meson.
std::string ranWithFilter() {
  std::filesystem::remove(project().path("build-retest/meson-logs/testlog.json"));
  std::string filter = project().succeed({"select", "-f", "meson"});
  project().command({"sh", "-c", "meson test -C build-retest " + filter});
  std::string names;
  for (const auto &[name, outcome] : ran())
    names += (names.empty() ? "" : " ") + name;
  return names;
}

} // namespace

TEST_CASE("meson: outcomes are those of `meson test`") {
  project().command({"meson", "test", "-C", "build-retest"});
  std::map<std::string, std::string> theirs = ran();
  CHECK(theirs.size() == 20);
  CHECK(theirs["fails"] == "EXPECTEDFAIL");
  CHECK(theirs["skips"] == "SKIP");
  std::string ours = project().succeed({"record"});
  CHECK_MESSAGE(ours.find("tests: 21: 20 passed, 1 skipped") != std::string::npos, ours);
}

TEST_CASE("meson: what an edit selects") {
  CHECK(project().selected() == "-");
  {
    Edit code(project(), "calc.cpp", "a + b", "b + a");
    CHECK(project().selected() == "adds unit_test::Unit.Minus");
    CHECK(ranWithFilter() == "adds unit");
    project().succeed({"verify", project().path("build-retest/meson-logs/testlog.json")});
  }
  {
    Edit code(project(), "calc.cpp", "-a", "0 - a");
    CHECK(project().selected() == "unit_test::Unit.Minus");
    CHECK(project().succeed({"select", "-f", "args"}) ==
          "meson test -C " + project().path("build-retest") + " :unit\n");
  }
  {
    Edit header(project(), "version.in", "return 1", "return 2"); // which the build copies
    CHECK(project().selected() == "unit_test::Unit.Version");
  }
  {
    Edit data(project(), "data.in", "data", "others");
    CHECK(project().selected() == "data");
  }
  project().command({"meson", "compile", "-C", "build-retest"}); // the file is newer than its copy
  {
    Edit data(project(), "here.txt", "here", "there");
    CHECK(project().selected() == "here");
  }
  CHECK(project().selected() == "-");
  std::filesystem::remove(project().path("build-retest/meson-logs/testlog.json"));
  CHECK(ranWithFilter().empty());
}

TEST_CASE("meson: sources that are not simply compiled") {
  {
    Edit header(project(), "pch/pch.hpp", "return 0", "return 0 * 1");
    CHECK(project().selected() == "pch");
  }
  {
    Edit source(project(), "made.cpp.in", "return 0", "return 0 * 1");
    CHECK(project().selected() == "made");
  }
  {
    Edit source(project(), "aside.cpp", "return 0", "return 1"); // not part of what is built
    CHECK(project().selected() == "aside");
    Outcome run = project().run({"run"});
    CHECK(run.code == 1);
    CHECK(project().selected() == "aside"); // it failed
  }
  project().succeed({"run"});
  CHECK(project().selected() == "-");
}

TEST_CASE("meson: what its description says") {
  {
    Edit usual(project(), "meson.build", "USUAL=one", "USUAL=two");
    CHECK(project().succeed({"select", "-f", "json"}).find("\"kind\": \"all\"") !=
          std::string::npos);
  }
  project().write("extra.txt", ""); // Meson looks for it
  CHECK(project().selected() == "found");
  std::filesystem::remove(project().path("extra.txt"));
  CHECK(project().selected() == "-");
  {
    Edit meant(project(), "meson.build", "should_fail: true", "should_fail: false");
    CHECK(project().selected() == "fails");
  }
  {
    Edit mode(project(), "meson.build", "'fast'", "'slow'");
    CHECK(project().selected() == "mode");
  }
  {
    Edit more(project(), "meson.build", "test('adds'",
              "test('more', tool, args: ['mode'])\ntest('adds'");
    CHECK(project().selected() == "more");
    CHECK(ranWithFilter() == "more");
  }
  CHECK(project().selected() == "-");
}

TEST_CASE("meson: names that mean something else to others") {
  Edit mode(project(), "tool.cpp", "return 0;", "return 0 * 1;");
  CHECK(ranWithFilter() == "$HOME * --list a b it's mode naïve one,two project_name x[1]");
}

TEST_CASE("meson: run, and select from there") {
  Edit code(project(), "calc.cpp", "a + b", "a + b + 1");
  Outcome run = project().run({"run"});
  CHECK(run.code == 1);
  CHECK(run.says("adds"));
  CHECK(project().selected() == "adds unit_test::Unit.Minus"); // they failed
}

TEST_CASE("meson: everything, and formats of others") {
  project().command({"mv", "build-retest/.retest/retest.db", "build-retest/aside"});
  CHECK(project().succeed({"select", "-f", "meson"}) == ":\n");
  project().command({"mv", "build-retest/aside", "build-retest/.retest/retest.db"});
  project().command({"meson", "test", "-C", "build-retest", ":"});
  CHECK(ran().size() == 20);
  Outcome ctest = project().run({"select", "-f", "ctest"});
  CHECK(ctest.code == 2);
  CHECK(ctest.err.find("use --format meson") != std::string::npos);
}
