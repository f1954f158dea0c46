#include "select/escapes.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("shadow: what an outcome says about the selection") {
  using Status = TestStatus;
  struct Row {
    const char *what;
    Verdict verdict;
    Status before;
    std::vector<Status> now;
    ShadowVerdict shadow;
  };
  const Row rows[] = {
      {"skipped, the same",
       Verdict::Skipped,
       Status::Passed,
       {Status::Passed},
       ShadowVerdict::Unchanged},
      {"skipped, fails each time",
       Verdict::Skipped,
       Status::Passed,
       {Status::Failed, Status::Crashed},
       ShadowVerdict::Escaped},
      {"skipped, fails once",
       Verdict::Skipped,
       Status::Passed,
       {Status::Failed, Status::Passed},
       ShadowVerdict::Unstable},
      {"skipped, is skipped by itself now",
       Verdict::Skipped,
       Status::Passed,
       {Status::Skipped},
       ShadowVerdict::Escaped},
      {"selected, fails",
       Verdict::Affected,
       Status::Passed,
       {Status::Failed},
       ShadowVerdict::Caught},
      {"selected, passes again",
       Verdict::Failed,
       Status::Failed,
       {Status::Passed},
       ShadowVerdict::Caught},
      {"selected, the same",
       Verdict::Doubt,
       Status::Passed,
       {Status::Passed},
       ShadowVerdict::Unchanged},
      {"new", Verdict::New, Status::NotRun, {Status::Failed}, ShadowVerdict::Unknown},
      {"did not run", Verdict::Skipped, Status::Passed, {}, ShadowVerdict::Unknown},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(shadowVerdict(row.verdict, row.before, row.now) == row.shadow);
  }
}
