#include "tests/select_command/edited_copy.h"

using namespace retest;

// The same project in places, and with tools, that are not the usual ones.

namespace {

void checkSelections(const EditedCopy &copy) {
  CHECK(copy.selected() == "-");
  {
    Edit code(copy, "main.cpp", "return 0;", "return 1 - 1;");
    CHECK(copy.selected() == "plain");
  }
  {
    Edit unused(copy, "main.cpp", "return 1;", "return 2;");
    CHECK(copy.selected() == "-");
  }
  {
    Edit data(copy, "kept.txt", "kept", "another");
    CHECK(copy.selected() == "kept");
  }
  {
    Edit tool(copy, "write.cpp", "made", "others"); // its output is among the sources
    CHECK(copy.selected() == "made");
  }
}

} // namespace

TEST_CASE("odd places: output of the build among the sources") {
  EditedCopy copy(ODD_PLACES_DIRECTORY);
  checkSelections(copy);
}

TEST_CASE("odd places: a project that is reached through a link") {
  EditedCopy copy(ODD_PLACES_DIRECTORY, {}, EditedCopy::Place::BehindLink);
  checkSelections(copy);
}

TEST_CASE("odd places: ninja is called by a script") {
  TemporaryDirectory tools;
  auto write = [&](const std::string &words) {
    tools.write("tool", "#!/bin/sh\n" + words + "exec ninja \"$@\"\n");
    std::filesystem::permissions(tools / "tool", std::filesystem::perms::owner_all);
  };
  write("");
  EditedCopy copy(ODD_PLACES_DIRECTORY,
                  {"--", "-GNinja", "-DCMAKE_MAKE_PROGRAM=" + (tools / "tool")});
  checkSelections(copy);
  copy.command({"cmake", "--build", "build-retest"});
  write("echo what ninja does not say\n"); // so it is not known what it would do
  Edit code(copy, "main.cpp", "return 0;", "return 1 - 1;");
  CHECK(copy.selected() == "made plain");
}

TEST_CASE("odd places: make cannot be asked, so what it may make is in doubt") {
  EditedCopy copy(ODD_PLACES_DIRECTORY, {"--", "-GUnix Makefiles"});
  CHECK(copy.selected() == "made");
  CHECK(copy.run({"explain", "made"}).says("cannot be asked"));
  Edit code(copy, "main.cpp", "return 0;", "return 1 - 1;");
  CHECK(copy.selected() == "made plain");
}

TEST_CASE("odd places: each build links the same program once more") {
  EditedCopy copy(ODD_PLACES_DIRECTORY, {"--", "-DTOUCHES=ON"});
  Edit code(copy, "stamped.cpp", "return 0;", "return 1 - 1;");
  CHECK(copy.selected() == "made stamped"); // a command runs, which may write what `made` reads
  CHECK(copy.run({"run"}).code == 0);
  CHECK(copy.selected() == "made");
}
