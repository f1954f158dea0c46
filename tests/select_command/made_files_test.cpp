#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

const EditedCopy &project() {
  static const EditedCopy copy(MADE_FILES_DIRECTORY);
  return copy;
}

void build() { project().command({"cmake", "--build", "build-retest"}); }

} // namespace

TEST_CASE("select: files that the build makes") {
  const EditedCopy &copy = project();
  CHECK(copy.selected() == "-");
  {
    Edit source(copy, "gen.in", "return 1", "return 1 + 0");
    CHECK(copy.selected() == "absent copied generated hidden written");
  }
  {
    // Nobody knows what it is made from, so anything may be that.
    copy.write("something", "new");
    CHECK(copy.selected() == "absent copied hidden written");
    CHECK(copy.run({"explain", "hidden"}).says("nobody knows whether that makes it"));
    CHECK(copy.run({"explain", "absent"})
              .says("looked for <build>/later.txt: the next build runs '"));
    std::filesystem::remove(copy.path("something"));
  }
  build(); // a file that is newer lets commands run, whatever is in it
  CHECK(copy.selected() == "-");
  {
    Edit original(copy, "copied.txt", "copy", "another");
    CHECK(copy.selected() == "copied"); // no command has to run for that
  }
  {
    Edit broken(copy, "gen.in", "return 1", "return");
    // It is made, and its unit does not parse.
    CHECK(copy.selected() == "absent behind copied generated hidden made setup user written");
  }
  {
    Edit input(copy, "data.in", "data", "others");
    CHECK(copy.selected() == "absent copied hidden made written");
    CHECK(copy.run({"explain", "made"}).says("made anew when the project is built"));
  }
  build();
  CHECK(copy.selected() == "-");
}

TEST_CASE("select: what a tool wrote is no copy of the golden file that it is compared with") {
  Edit tool(project(), "write.cpp", "same", "sa\" \"me"); // other text, the same words
  CHECK(project().selected() == "absent copied hidden written");
}

TEST_CASE("select: who needs what a selected test sets up") {
  Edit setup(project(), "main.cpp", "return 0;", "return 0 * 1;");
  CHECK(project().selected() == "absent behind copied hidden setup user written");
  CHECK(project().run({"explain", "user"}).says("uses what setup makes"));
}

TEST_CASE("select: who sets something up for a test decides how it runs") {
  {
    Edit another(project(), "CMakeLists.txt", "add_test(NAME user",
                 "add_test(NAME seed COMMAND app)\n"
                 "set_tests_properties(seed PROPERTIES FIXTURES_SETUP table)\nadd_test(NAME user");
    CHECK(project().selected() == "absent copied hidden seed user written");
  }
  Edit none(project(), "CMakeLists.txt", "setup PROPERTIES FIXTURES_SETUP table",
            "setup PROPERTIES LABELS table");
  CHECK(project().selected() == "absent behind copied hidden setup user written");
}

TEST_CASE("select: a filter of another time is gone if there is none for today") {
  project().write("filter", "--gtest_filter=-*");
  CHECK(project()
            .run({"select", "-f", "ctest", "-o", project().path("filter"), "--base", "nothing"})
            .code != 0);
  CHECK(!std::filesystem::exists(project().path("filter")));
}

TEST_CASE("select: generated sources that cannot be made") {
  const EditedCopy &copy = project();
  std::filesystem::rename(copy.path("gen.in"), copy.path("gen.away"));
  CHECK(copy.json().getString("kind") == "all");
  CHECK(copy.json().getString("reason")->contains("gen.in"));
  std::filesystem::rename(copy.path("gen.away"), copy.path("gen.in"));
}

TEST_CASE("select: tests that CTest knows only when their program is built") {
  const EditedCopy &copy = project();
  {
    Edit properties(copy, "CMakeLists.txt", "MODE=1", "MODE=2");
    CHECK(copy.selected() ==
          "absent copied found::Sign.Negative found::Sign.Positive hidden written");
    CHECK(copy.run({"explain", "Sign.Negative"}).says("discovery of tests"));
  }
  TemporaryDirectory elsewhere;
  std::string clone = elsewhere / "clone";
  copy.git({"clone", "-q", ".", clone});
  auto there = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", clone});
    return runRetest(arguments);
  };
  setenv("RETEST_STORE", copy.storePath().c_str(), 1);
  REQUIRE(there({"init"}).code == 0);
  // Nothing is built there: neither programs nor the files that the build makes for tests.
  CHECK(there({"select", "-f", "list"}).out == "absent\ncopied\nhidden\nmade\nwritten\n");
  std::string text = copy.read("found.cpp");
  std::ofstream(clone + "/found.cpp") << text.replace(text.find("? -1"), 4, "? -3");
  CHECK(there({"select", "-f", "list"}).out ==
        "absent\ncopied\nfound::Sign.Negative\nhidden\nmade\nwritten\n");
  std::ofstream(clone + "/found.cpp") << copy.read("found.cpp");
  std::ofstream(clone + "/properties.cmake") << "# none are set\n";
  CHECK(there({"select", "-f", "list"}).out ==
        "absent\ncopied\nfound::Sign.Negative\nfound::Sign.Positive\nhidden\nmade\nwritten\n");
  unsetenv("RETEST_STORE");
}

TEST_CASE("select: sources that a glob finds, and that CMake was not told of") {
  const EditedCopy &copy = project();
  copy.write("found_more.cpp", "#include <gtest/gtest.h>\nTEST(More, One) {}\n");
  CHECK(copy.selected() == "absent copied found::More.One hidden written");
  std::filesystem::remove(copy.path("found_more.cpp"));
  CHECK(copy.selected() == "absent copied hidden written");
  build();
  CHECK(copy.selected() == "-");
  copy.write("unrelated.cpp", "what no glob matches\n");
  CHECK(copy.selected() == "-");
  std::filesystem::remove(copy.path("unrelated.cpp"));
  CHECK(copy.selected() == "-");
}
