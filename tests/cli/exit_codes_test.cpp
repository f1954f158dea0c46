#include "cli/exit_codes.h"

#include "support/error.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

using namespace retest;

TEST_CASE("errors: the kind decides the exit code") {
  struct Row {
    llvm::Error error;
    ExitCode code;
    std::string text;
  };
  Row rows[] = {
      {error(ErrorKind::Usage, "a"), ExitCode::Usage, "retest: error: a\n"},
      {error("b"), ExitCode::Environment, "retest: error: b\n"},
      {error(ErrorKind::Build, "c"), ExitCode::BuildFailed, "retest: error: c\n"},
      {error(ErrorKind::Store, "d"), ExitCode::StoreUnusable, "retest: error: d\n"},
      {llvm::createStringError("not ours"), ExitCode::Environment, "retest: error: not ours\n"},
      {llvm::joinErrors(error(ErrorKind::Store, "e"), error(ErrorKind::Store, "f")),
       ExitCode::StoreUnusable, "retest: error: e\nretest: error: f\n"},
  };
  for (Row &row : rows) {
    std::string text;
    llvm::raw_string_ostream err(text);
    CHECK(reportError(std::move(row.error), err) == row.code);
    CHECK(text == row.text);
  }
}

TEST_CASE("exit codes: every code has its row, in order") {
  const ExitCode codes[] = {
      ExitCode::Success,       ExitCode::TestsFailed,   ExitCode::Usage,
      ExitCode::Environment,   ExitCode::NothingRun,    ExitCode::BuildFailed,
      ExitCode::StoreUnusable, ExitCode::OutcomeMissed, ExitCode::AllOnPurpose,
      ExitCode::AllByFallback, ExitCode::Interrupted,   ExitCode::Terminated,
  };
  REQUIRE(exitCodeTable().size() == std::size(codes));
  for (auto [code, row] : llvm::zip(codes, exitCodeTable()))
    CHECK(std::to_string(static_cast<int>(code)) == row.codes);
}
