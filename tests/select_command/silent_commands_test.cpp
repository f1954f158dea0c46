#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

const EditedCopy &project() {
  static const EditedCopy copy(SILENT_COMMANDS_DIRECTORY);
  return copy;
}

/// After an edit was taken back: a file that is newer lets its commands run, whatever is in it.
void build() { project().command({"cmake", "--build", "build-retest"}); }

} // namespace

TEST_CASE("silent commands: they matter only if they run") {
  CHECK(project().selected() == "-");
  Edit code(project(), "main.cpp", "return 0;", "return 1 - 1;"); // nothing is made with that
  CHECK(project().selected() == "plain");
}

TEST_CASE("silent commands: what they make is no copy of the golden file") {
  Edit tool(project(), "write.cpp", "same", "sa\" \"me"); // other text, the same words
  CHECK(project().selected() == "absent copied data found::Found.Absent golden later listed reads");
}

TEST_CASE("silent commands: those that the project calls harmless") {
  Edit tool(project(), "write.cpp", "same", "sa\" \"me");
  project().write("retest.toml", "harmless = ['echo *']");
  CHECK(project().selected() == "absent copied data found::Found.Absent golden later listed reads");
  CHECK(project().run({"explain", "data"}).says("/write > "));
  project().write("retest.toml", "harmless = ['echo *', '*/write >*']");
  CHECK(project().selected() == "-");
  std::filesystem::remove(project().path("retest.toml"));
}

TEST_CASE("silent commands: originals tell of their copies") {
  build();
  {
    Edit original(project(), "golden/out.txt", "same", "another");
    CHECK(project().selected() == "copied golden");
  }
  project().write("golden/extra.txt", "more");
  CHECK(project().selected() == "absent listed");
  std::filesystem::remove(project().path("golden/extra.txt"));
  CHECK(project().selected() == "-");
}

TEST_CASE("silent commands: where a program finds its tests there may be others") {
  Edit tests(project(), "found.cpp", "1 + 1, 2", "2, 1 + 1");
  Edit script(project(), "found.sh", "true", "touch more.txt");
  CHECK(project().selected().find("found::Found.Absent found::Found.Other") != std::string::npos);
}

TEST_CASE("silent commands: a command with other words") {
  build();
  project().command({"cmake", "-DDATA=two", "build-retest"});
  CHECK(project().selected() == "absent copied data found::Found.Absent golden later listed reads");
  project().command({"cmake", "-DDATA=one", "build-retest"});
  CHECK(project().selected() == "-");
}

TEST_CASE("files that CMake looks for come and go") {
  build();
  std::filesystem::rename(project().path("parked/feature"), project().path("lib/feature"));
  CHECK(project().selected() == "glob");
  std::filesystem::rename(project().path("lib/feature"), project().path("parked/feature"));
  CHECK(project().selected() == "-");
  project().write("cases/b.txt", "b");
  CHECK(project().selected() == "cases/b.txt");
  std::filesystem::remove(project().path("cases/b.txt"));
  CHECK(project().selected() == "-");
}

TEST_CASE("run: what a command makes is made, though a test changes it as well") {
  Edit table(project(), "table.cpp", "good", "bad");
  Edit code(project(), "main.cpp", "std::string text, what", "std::string text = \"\", what");
  Outcome run = project().run({"run"});
  CHECK(run.code == 1);
  CHECK_MESSAGE(run.says("reads"), run.out);
}
