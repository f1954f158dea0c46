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
