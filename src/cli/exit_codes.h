#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

namespace retest {

/// How `retest` ends. Stable: scripts rely on these numbers.
enum class ExitCode : int {
  Success = 0,
  TestsFailed = 1,
  Usage = 2,
  Environment = 3,
  NothingRun = 4,
  BuildFailed = 5,
  StoreUnusable = 6,
  OutcomeMissed = 7,
  AllOnPurpose = 10,
  AllByFallback = 11,
  Interrupted = 130,
  Terminated = 143,
};

struct ExitCodeMeaning {
  const char *codes;
  const char *meaning;
};

/// The table of `retest help exit-codes` and of the manual.
llvm::ArrayRef<ExitCodeMeaning> exitCodeTable();

/// Writes the errors as `retest: error: ...`, a line each, and says how the program ends. This is
/// the one place where a failure becomes an exit code.
ExitCode reportError(llvm::Error error, llvm::raw_ostream &err);

} // namespace retest
