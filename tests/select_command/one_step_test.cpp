#include "tests/select_command/edited_copy.h"

using namespace retest;

// Programs and libraries that commands of the project compile and link at once.

namespace {

const EditedCopy &project() {
  static const EditedCopy copy(ONE_STEP_DIRECTORY);
  return copy;
}

} // namespace

TEST_CASE("one step: nothing changed") { CHECK(project().selected() == "-"); }

TEST_CASE("one step: one row per edit") {
  struct Row {
    std::string file, from, to, selected;
  };
  const Row rows[] = {
      {"tool.cc", "return told", "return 1 - 1 + told", "direct other started"},
      {"told.h", "return 0", "return 1 - 1", "direct other started"},
      {"untold.h", "return 0", "return 1 - 1", "direct started"},
      {"table.in", "return 0", "return 1 - 1", "direct started"},
      {"untold_plugin.h", "return 0", "return 1 - 1", "loaded"},
      {"untold_linked.h", "return 0", "return 1 - 1", "linked"},
      {"untold_part.h", "return 0", "return 1 - 1", "part"},
      {"members.txt", "all", "none", "part"},
      {"appended.txt", "data", "others", "appended"},
      {"main.cpp", "return 0;", "return 1 - 1;", "plain"},
      {"CMakeLists.txt", "-DTOOL", "-DTOOL=2", "direct started"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.file);
    {
      Edit edit(project(), row.file, row.from, row.to);
      CHECK(project().selected() == row.selected);
    }
    project().command({"cmake", "--build", "build-retest"}); // what is newer counts until then
    CHECK(project().selected() == "-");
  }
}

TEST_CASE("one step: a header that comes to be found first") {
  project().write("plugin.cc.h", "");
  CHECK(project().selected() == "-");
  std::filesystem::remove(project().path("plugin.cc.h"));
  project().write("build-retest/untold_plugin.h", "inline int value() { return 1; }\n");
  CHECK(project().selected() == "loaded"); // where the command runs, and so perhaps
  std::filesystem::remove(project().path("build-retest/untold_plugin.h"));
  CHECK(project().selected() == "-");
}

TEST_CASE("one step: a command that was told of another file, and has run") {
  Edit edit(project(), "appended.txt", "data", "others");
  project().command({"cmake", "--build", "build-retest"});
  CHECK(project().selected() == "appended");
}

TEST_CASE("one step: what is built is recorded as it is") {
  project().command({"cmake", "--build", "build-retest"});
  CHECK(project().run({"record", "--no-build"}).code == 0);
  CHECK(project().selected() == "-");
  Edit edit(project(), "table.in", "return 0", "return 1 - 1");
  CHECK(project().run({"record", "--no-build"}).code == 2);
}

TEST_CASE("one step: what a run leaves") {
  Edit edit(project(), "told.h", "return 0", "return 1");
  CHECK(project().run({"run"}).code == 1);
  CHECK(project().selected() == "direct other started"); // they failed
}
