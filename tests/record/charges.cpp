#include "tests/record/charges.h"

#include <fmt/ranges.h>

namespace retest {

namespace {

/// The tests of some programs, in the order of `who`.
std::string allOf(const CoverageMatrix &matrix, const std::vector<std::string> &programs) {
  std::vector<std::string> ids;
  for (const RecordedTest &test : matrix.tests)
    for (const std::string &program : programs)
      if (test.binary == "<build>/" + program)
        ids.push_back(idOf(test));
  CHECK(ids.size() >= 8 * programs.size());
  return fmt::format("{}", fmt::join(ids, "; "));
}

} // namespace

void checkCharges(const RecordedCopy &copy, const std::string &baseline) {
  CAPTURE(baseline);
  CoverageMatrix matrix = copy.matrix(baseline);
  struct Row {
    const char *habit;
    std::string what, tests;
  };
  const Row rows[] = {
      {"built once, used by three tests", "buildOnce",
       "boost_tests::lazy_one; boost_tests::lazy_three; boost_tests::lazy_two; "
       "catch2_tests::lazy, one; catch2_tests::lazy, three; catch2_tests::lazy, two; "
       "doctest_tests::lazy, one; doctest_tests::lazy, three; doctest_tests::lazy, two; "
       "googletest_tests::Lazy.One; googletest_tests::Lazy.Three; googletest_tests::Lazy.Two; "
       "googletest_tests::Typed/0.Size; plain_lazy; plain_lazy_second; plain_lazy_third"},
      {"a thread", "work",
       "boost_tests::in_thread; catch2_tests::thread; doctest_tests::thread; "
       "googletest_tests::Other.Thread; plain_thread"},
      {"a shared library", "answer",
       "boost_tests::in_shared; catch2_tests::shared; doctest_tests::shared; "
       "googletest_tests::Other.Shared; plain_shared"},
      {"a child of a shell or of a script", "onlyInTool",
       "boost_tests::in_child; catch2_tests::child; doctest_tests::child; "
       "googletest_tests::Other.Child; plain_child; script"},
      {"a child that is spawned", "onlyInSpawned",
       "boost_tests::in_spawned; catch2_tests::spawned; doctest_tests::spawned; "
       "googletest_tests::Other.Spawned; plain_spawns"},
      {"the second program of a script", "readFile", "plain; script"},
      {"the child of a death test", "dies",
       "googletest_tests::Other.DeathTest; googletest_tests::Other.ThreadsafeDeathTest"},
      {"set-up of a suite", "forSuite",
       "boost_tests::suite/first; boost_tests::suite/second; googletest_tests::Suite.First; "
       "googletest_tests::Suite.Second"},
      {"set-up of all tests", "forProgram",
       allOf(matrix, {"boost_tests", "catch2_tests", "doctest_tests", "googletest_tests"})},
      {"before main", "beforeMainOfBoost", allOf(matrix, {"boost_tests"})},
      {"before main", "beforeMainOfCatch2", allOf(matrix, {"catch2_tests"})},
      {"before main", "beforeMainOfDoctest", allOf(matrix, {"doctest_tests"})},
      {"before main", "beforeMainOfGoogleTest", allOf(matrix, {"googletest_tests"})},
      {"nobody", "untouched", ""},
      {"one side", copy.place("habits.cpp", "// if so"),
       "boost_tests::side_true; catch2_tests::sides; doctest_tests::true; "
       "googletest_tests::All/Values.Chosen/0; googletest_tests::Other.True"},
      {"the other", copy.place("habits.cpp", "// if not"),
       "boost_tests::side_false; catch2_tests::sides; doctest_tests::false; "
       "googletest_tests::All/Values.Chosen/1; googletest_tests::Other.False"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.habit);
    CAPTURE(row.what);
    CHECK(copy.who(row.what, baseline) == row.tests);
  }
}

std::string filesOf(const RecordedTest &test) {
  constexpr const char *kWords[] = {"read", "missing", "listed", "executed", "written", "found"};
  std::vector<std::string> all;
  for (const FileUse &use : test.files)
    if (!llvm::StringRef(use.path).starts_with("<build>/")) // where the loader looks for libraries
      all.push_back(fmt::format("{} {}", kWords[static_cast<int>(use.kind)], use.path));
  return fmt::format("{}", fmt::join(all, ", "));
}

void checkSameMatrix(const RecordedCopy &copy, const std::string &first,
                     const std::string &second) {
  CoverageMatrix one = copy.matrix(first), other = copy.matrix(second);
  CHECK(one.units == other.units);
  CHECK(one.classes == other.classes);
  CHECK(one.constructed == other.constructed);
  REQUIRE(one.tests.size() == other.tests.size());
  for (std::size_t i = 0; i < one.tests.size(); ++i) {
    CAPTURE(idOf(one.tests[i]));
    CHECK(idOf(one.tests[i]) == idOf(other.tests[i]));
    CHECK(one.tests[i].status == other.tests[i].status);
    CHECK(one.tests[i].unmeasured == other.tests[i].unmeasured);
    CHECK(one.tests[i].programs == other.tests[i].programs);
    CHECK(filesOf(one.tests[i]) == filesOf(other.tests[i]));
  }
}

} // namespace retest
