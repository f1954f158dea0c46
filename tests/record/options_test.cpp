// Options that say how a suite runs. Nothing here depends on how fast it runs: tests of the project
// wait for each other where they should meet.
#include "tests/record/charges.h"
#include "tests/record/habits.h"

using namespace retest;

namespace {

/// A variable in the environment of what is started meanwhile.
class EnvironmentVariable {
public:
  EnvironmentVariable(const char *name, const std::string &value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  EnvironmentVariable(const EnvironmentVariable &) = delete;
  EnvironmentVariable &operator=(const EnvironmentVariable &) = delete;
  ~EnvironmentVariable() { unsetenv(name_); }

private:
  const char *name_;
};

/// What a recording says about tests that did not do the same each time; empty: nothing.
std::string unstableIn(llvm::StringRef said) {
  auto [before, after] = said.split("not the same each time: ");
  if (after.empty())
    return "";
  return after.split("\nwitnesses:").first.str();
}

RecordedTest testIn(const CoverageMatrix &matrix, const std::string &id) {
  for (const RecordedTest &test : matrix.tests)
    if (idOf(test) == id)
      return test;
  FAIL("no test " << id);
  return {};
}

/// Records with several jobs: the tests that met another one.
std::string meetings(const std::string &baseline, const std::vector<std::string> &options,
                     const std::string &patience) {
  const RecordedCopy &project = habits(); // recorded before, without the variables
  TemporaryDirectory directory;
  EnvironmentVariable meeting("HABITS_MEETING", directory.path());
  EnvironmentVariable seconds("HABITS_PATIENCE", patience);
  project.recordAs(baseline, options);
  return project.who("metOther", baseline);
}

} // namespace

TEST_CASE("record --repeat: a test keeps what it did in any round, and is told if rounds differ") {
  const RecordedCopy &project = habits(); // recorded before, without the variable
  TemporaryDirectory directory;
  EnvironmentVariable turns("HABITS_TURNS", directory.path());
  CHECK(unstableIn(project.recordAs("one round", {"--repeat", "1"})) == "");
  CHECK(project.who("left", "one round") == "turns");
  CHECK(project.who("right", "one round") == "");
  CHECK(unstableIn(project.recordAs("two rounds", {"--repeat", "2"})) == "1\n    turns");
  CHECK(project.who("left", "two rounds") == "turns");
  CHECK(project.who("right", "two rounds") == "turns");
  // The first and the last go the same way.
  CHECK(unstableIn(project.recordAs("three rounds", {"--repeat", "3", "--no-fork"})) ==
        "1\n    turns");
  checkSameMatrix(project, "two rounds", "three rounds");
}

TEST_CASE("record --repeat: files of any round; unmeasured if one round was not") {
  const RecordedCopy &project = habits();
  TemporaryDirectory directory;
  EnvironmentVariable turns("HABITS_TURNS", directory.path());
  project.recordAs("reads", {"--repeat", "2"});
  CHECK(filesOf(testIn(project.matrix("reads"), "turns")) == "read data.txt, found .");
  EnvironmentVariable crash("HABITS_CRASH", "yes");
  for (const char *rounds : {"2", "3"}) { // it ends well, or it ends badly
    std::filesystem::remove(directory / "mark");
    CHECK(unstableIn(project.recordAs("crashes", {"--repeat", rounds})) == "1\n    turns");
    RecordedTest test = testIn(project.matrix("crashes"), "turns");
    CHECK(test.status == TestStatus::Crashed);
    CHECK(test.unmeasured == "it was ended by signal 6, aborted");
    CHECK(project.who("right", "crashes") == "");
  }
}

TEST_CASE("record --repeat: rounds that are the same change nothing") {
  CHECK(unstableIn(habits().recordAs("repeated", {"--repeat", "2"})) == "");
  checkSameMatrix(habits(), "forked", "repeated");
}

TEST_CASE("record -j: the same matrix, whatever runs at the same time") {
  habits().recordAs("parallel", {"-j", "4"});
  checkSameMatrix(habits(), "forked", "parallel");
  habits().recordAs("parallel cases", {"-j", "4", "--parallel-cases"});
  checkSameMatrix(habits(), "forked", "parallel cases");
}

TEST_CASE("record -j: entries of CTest run at the same time, tests of one entry do not") {
  // Tests of one entry would have a second to meet. Entries have a minute.
  CHECK(meetings("entries meet", {"-j", "4"}, "1") == "meets_left; meets_right");
}

TEST_CASE("record --parallel-cases: tests of one entry run at the same time") {
  CHECK(meetings("cases meet", {"-j", "4", "--parallel-cases"}, "60") ==
        "googletest_tests::Meets.One; googletest_tests::Meets.Two; meets_left; meets_right");
}
