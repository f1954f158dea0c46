#include "db/store.h"
#include "tests/cli/small_project.h"

#include <fmt/ranges.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

/// The project beside this file, built for coverage once for all tests here.
struct Habits {
  TemporaryDirectory directory;
  std::string root = directory / "project";

  Habits() {
    std::filesystem::copy(RECORD_PROJECT, root, std::filesystem::copy_options::recursive);
    if (findProgram("ccache"))
      setenv("CMAKE_CXX_COMPILER_LAUNCHER", "ccache", 1);
    Outcome init = run({"init"});
    INFO(init.err);
    REQUIRE(init.code == 0);
    Outcome record = run({"record"});
    INFO(record.err);
    REQUIRE(record.code == 0);
    said = record.out;
  }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", root});
    return runRetest(arguments);
  }

  /// The tests that `retest who` names, in one line.
  std::string who(const std::string &what) {
    Outcome outcome = run({"who", what});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    llvm::SmallVector<llvm::StringRef, 16> lines;
    llvm::StringRef(outcome.out).split(lines, '\n', -1, false);
    return llvm::join(lines, "; ");
  }

  CoverageMatrix matrix(const std::string &name = "work-tree") {
    Store store =
        llvm::cantFail(Store::open(root + "/build-retest/.retest/retest.db", OpenMode::Read));
    BaselineIndex index = llvm::cantFail(store.loadIndex(name));
    return llvm::cantFail(llvm::cantFail(store.coverage(index.id))->whole());
  }

  std::string said;
};

Habits &habits() {
  static Habits project;
  return project;
}

const RecordedTest &testNamed(const CoverageMatrix &matrix, const std::string &id) {
  for (const RecordedTest &test : matrix.tests)
    if (idOf(test) == id)
      return test;
  FAIL("no test " << id);
  return matrix.tests.front();
}

std::string filesOf(const RecordedTest &test) {
  constexpr const char *kWords[] = {"read", "missing", "listed", "executed", "written", "found"};
  std::vector<std::string> all;
  for (const FileUse &use : test.files)
    if (!llvm::StringRef(use.path).starts_with("<build>/")) // where the loader looks for libraries
      all.push_back(fmt::format("{} {}", kWords[static_cast<int>(use.kind)], use.path));
  return fmt::format("{}", fmt::join(all, ", "));
}

} // namespace

TEST_CASE("record: what happens once is charged to each test that needs it") {
  CHECK(habits().who("buildOnce") ==
        "boost_tests::lazy_one; boost_tests::lazy_three; boost_tests::lazy_two; "
        "catch2_tests::lazy, one; catch2_tests::lazy, three; catch2_tests::lazy, two; "
        "doctest_tests::lazy, one; doctest_tests::lazy, three; doctest_tests::lazy, two; "
        "googletest_tests::Lazy.One; googletest_tests::Lazy.Three; googletest_tests::Lazy.Two; "
        "googletest_tests::Typed/0.Size");
}

TEST_CASE("record: threads, children, shared libraries and scripts belong to the test") {
  CHECK(habits().who("work") == "boost_tests::in_thread; catch2_tests::thread; "
                                "doctest_tests::thread; googletest_tests::Other.Thread");
  CHECK(habits().who("answer") == "boost_tests::in_shared; catch2_tests::shared; "
                                  "doctest_tests::shared; googletest_tests::Other.Shared");
  CHECK(habits().who("onlyInTool") ==
        "boost_tests::in_child; catch2_tests::child; "
        "doctest_tests::child; googletest_tests::Other.Child; script");
  CHECK(habits().who("dies") ==
        "googletest_tests::Other.DeathTest; googletest_tests::Other.ThreadsafeDeathTest");
  CHECK(habits().who("inSetUp") ==
        "boost_tests::suite/first; boost_tests::suite/second; googletest_tests::Suite.First; "
        "googletest_tests::Suite.Second");
  CHECK(habits().who("readFile") == "plain; script");
  CHECK(habits().who("untouched") == "");
}

TEST_CASE("record: branches are told apart") {
  CHECK(habits().who("habits.cpp:50") ==
        "boost_tests::side_true; catch2_tests::sides; doctest_tests::true; "
        "googletest_tests::All/Values.Chosen/0; googletest_tests::Other.True");
  CHECK(habits().who("habits.cpp:51") ==
        "boost_tests::side_false; catch2_tests::sides; doctest_tests::false; "
        "googletest_tests::All/Values.Chosen/1; googletest_tests::Other.False");
}

TEST_CASE("record: outcomes, programs and files") {
  CoverageMatrix matrix = habits().matrix();
  CHECK(testNamed(matrix, "fails").status == TestStatus::Failed);
  CHECK(testNamed(matrix, "fails").unmeasured == "");
  CHECK(testNamed(matrix, "crashes").status == TestStatus::Crashed);
  CHECK(testNamed(matrix, "crashes").unmeasured == "it was ended by signal 6, aborted");
  const RecordedTest &shared = testNamed(matrix, "googletest_tests::Other.Shared");
  CHECK(shared.programs ==
        std::vector<std::string>{"<build>/googletest_tests", "<build>/libshared.so"});
  CHECK(shared.entries == std::vector<std::string>{"googletest"});
  CHECK(shared.file == "googletest.cpp");
  CHECK(shared.line == 9);
  CHECK(
      testNamed(matrix, "googletest_tests::Other.Child").programs ==
      std::vector<std::string>{"<build>/googletest_tests", "<build>/libshared.so", "<build>/tool"});
  CHECK(filesOf(testNamed(matrix, "plain")) == "read data.txt, found .");
  CHECK(filesOf(testNamed(matrix, "script")) ==
        "read data.txt, read script.sh, missing missing.txt, found .");
  CHECK(habits().said.find("43 passed, 1 failed, 1 crashed") != std::string::npos);
  CHECK(habits().said.find("isolation: 4 of 4 programs forked") != std::string::npos);
}

TEST_CASE("record: a process for each test finds the same, probe by probe") {
  Outcome outcome = habits().run({"record", "--no-fork", "--name", "started", "--no-build"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CoverageMatrix forked = habits().matrix(), started = habits().matrix("started");
  CHECK(forked.units == started.units);
  CHECK(forked.classes == started.classes);
  CHECK(forked.constructed == started.constructed);
  REQUIRE(forked.tests.size() == started.tests.size());
  for (std::size_t i = 0; i < forked.tests.size(); ++i) {
    CAPTURE(idOf(forked.tests[i]));
    CHECK(forked.tests[i].status == started.tests[i].status);
    CHECK(forked.tests[i].programs == started.tests[i].programs);
    CHECK(filesOf(forked.tests[i]) == filesOf(started.tests[i]));
  }
}
