#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

/// Recorded in a build directory in which no test has run before.
const EditedCopy &project() {
  static const EditedCopy copy(REPORTS_DIRECTORY);
  return copy;
}

} // namespace

TEST_CASE("reports: who writes one that another test reads runs as a whole") {
  const EditedCopy &copy = project();
  CHECK(copy.selected() == "-"); // all have passed, and are measured
  CHECK(copy.run({"run", "--all"}).code == 0);
  CHECK(copy.selected() == "-");
  {
    Edit told(copy, "told.cpp", "return 1;", "return 1 + 1;");
    CHECK(copy.selected() == "check told");
    Outcome outcome = copy.run({"run"});
    CHECK(outcome.code == 1);
    CHECK(outcome.says("FAIL"));
    CHECK(outcome.says("check"));
  }
  CHECK(copy.selected() == "check told");
  CHECK(copy.run({"run"}).code == 0);
  {
    Edit sought(copy, "sought.cpp", "return 1;", "return 1 + 1;");
    CHECK(copy.selected() == "searcher sought");
    CHECK(copy.run({"run"}).code == 1);
  }
  CHECK(copy.run({"run"}).code == 0);
  {
    Edit setUp(copy, "set_up.cpp", "return 1;", "return 1 + 1;");
    CHECK(copy.selected() == "set_up uses");
    CHECK(copy.run({"run"}).code == 1);
  }
  CHECK(copy.run({"run"}).code == 0);
  CHECK(copy.selected() == "-");
}

TEST_CASE("reports: who writes one that nobody reads runs test by test") {
  const EditedCopy &copy = project();
  {
    Edit quiet(copy, "quiet.cpp", "return 1;", "return 1 + 1;");
    CHECK(copy.selected() == "quiet_app::quiet value");
    CHECK(copy.run({"run"}).code == 0);
  }
  CHECK(copy.run({"run"}).code == 0);
  CHECK_FALSE(std::filesystem::exists(copy.path("build-retest/quiet.xml")));
}

TEST_CASE("reports: a test begins to read one") {
  const EditedCopy &copy = project();
  copy.succeed({"record"});
  Edit late(copy, "searcher.cpp", "\"sought\"", "\"late\"");
  Outcome outcome = copy.run({"run"});
  CHECK(outcome.code == 0);
  CHECK(outcome.warns("it begins again"));
  Edit value(copy, "late.cpp", "return 1;", "return 1 + 1;");
  CHECK(copy.selected() == "late searcher");
  CHECK(copy.run({"run"}).code == 1);
}

TEST_CASE("reports: what a reporter of the project does belongs to the tests") {
  const EditedCopy &copy = project();
  copy.succeed({"record"});
  Edit reporter(copy, "reporter.cpp", "exit(status);", "exit(status + 1);");
  CHECK(copy.selected() == "-"); // nobody was there
  Edit status(copy, "reporter.cpp", "override { status = 0; }", "override { status = 3; }");
  CHECK(copy.selected() == "json_app::json reported xml_app::xml reported");
  CHECK(copy.run({"run"}).code == 1);
}
