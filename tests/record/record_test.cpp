#include "tests/record/charges.h"
#include "tests/record/habits.h"

using namespace retest;

namespace {

const RecordedTest &testNamed(const CoverageMatrix &matrix, const std::string &id) {
  for (const RecordedTest &test : matrix.tests)
    if (idOf(test) == id)
      return test;
  FAIL("no test " << id);
  return matrix.tests.front();
}

} // namespace

TEST_CASE("record: what tests do is charged to them, whatever their framework") {
  checkCharges(habits(), "forked");
}

TEST_CASE("record: a process for each test finds the same, probe by probe") {
  std::string said = habits().recordAs("started", {"--no-fork"});
  CHECK_MESSAGE(llvm::StringRef(said).contains("isolation: 0 of 4 programs forked"), said);
  checkCharges(habits(), "started");
  checkSameMatrix(habits(), "forked", "started");
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
  CHECK(shared.file + ":" + std::to_string(shared.line) ==
        habits().place("googletest.cpp", "TEST(Other, Shared)"));
  CHECK(
      testNamed(matrix, "googletest_tests::Other.Child").programs ==
      std::vector<std::string>{"<build>/googletest_tests", "<build>/libshared.so", "<build>/tool"});
  CHECK(filesOf(testNamed(matrix, "plain")) == "read data.txt, found .");
  CHECK(filesOf(testNamed(matrix, "script")) ==
        "read data.txt, read script.sh, missing missing.txt, found .");
  INFO(habits().said());
  CHECK(llvm::StringRef(habits().said()).contains("63 passed, 1 failed, 1 crashed"));
  CHECK(llvm::StringRef(habits().said()).contains("isolation: 4 of 4 programs forked"));
}

TEST_CASE("record: the contents of files are those that a test has read") {
  CoverageMatrix matrix = habits().matrix();
  auto contentIn = [&](const char *test) {
    for (const FileUse &use : testNamed(matrix, test).files)
      if (use.path == "<build>/passed_on.txt" && use.kind == FileUseKind::Read)
        return use.content;
    FAIL(test << " has not read it");
    return Fingerprint();
  };
  CHECK(contentIn("step_1_reads") != Fingerprint());
  CHECK(contentIn("step_1_reads") != contentIn("step_3_reads"));
}

TEST_CASE("record: what is special about Clang's counters") {
  RecordedCopy project(CLANG_PROJECT);
  INFO(project.said());
  // An empty destructor is replaced by that of the base, everywhere or only in some units.
  CHECK(project.who("Derived::~Derived()") == "destroys");
  CHECK(project.who("Holder<int>::~Holder()") == "explicit; implicit");
  // Calls of functions that only compute are left out where the result is known.
  CHECK(project.who("limit") == "evaluates");
  CHECK(project.who("limitOf") == "evaluates");
  CHECK(project.who("more") == "evaluatesMore");
  // The one that the processor asks for counts under another name.
  CHECK(project.who("version") == "versions");
  // Units, and functions, without counters: whoever may call them.
  CHECK(project.who("inlined") == "listed");
  CHECK(project.who("launched") == "launched");
  CHECK(project.who("shared") == "launched");
  // Nobody ever calls them.
  for (const char *function : {"doubled", "Pair::Pair(const Pair&)"})
    CHECK(project.who(function) == "");
  // Nobody is seen to call it but a function that no test runs, and there is code that nobody
  // reads.
  CHECK(project.who("hidden") == "jumps");
}
