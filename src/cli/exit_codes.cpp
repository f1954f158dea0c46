#include "cli/exit_codes.h"

#include "support/error.h"

namespace retest {

namespace {

constexpr ExitCodeMeaning kTable[] = {
    {"0", "success; select: a selection was written, whatever its kind; run: all that ran passed"},
    {"1", "run, shadow, verify: tests failed, or fewer tests ran than were selected"},
    {"2", "usage or configuration error"},
    {"3", "environment error: no build directory, no compile database, git failed, tool missing"},
    {"4", "run: nothing was run although something was selected"},
    {"5", "the build of the needed targets failed"},
    {"6", "the store is unusable (missing, newer schema, corrupt, locked for too long)"},
    {"7", "shadow: a test that selection skips changed its outcome"},
    {"10", "select --detailed-exit-code: all tests, on purpose"},
    {"11", "select --detailed-exit-code: all tests, because of a fallback rule"},
    {"130", "interrupted (SIGINT)"},
    {"143", "terminated (SIGTERM)"},
};

ExitCode exitCodeOf(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::Usage:
    return ExitCode::Usage;
  case ErrorKind::Environment:
    return ExitCode::Environment;
  case ErrorKind::Build:
    return ExitCode::BuildFailed;
  case ErrorKind::Store:
    return ExitCode::StoreUnusable;
  }
  llvm_unreachable("every kind of error has its exit code");
}

} // namespace

llvm::ArrayRef<ExitCodeMeaning> exitCodeTable() { return kTable; }

ExitCode reportError(llvm::Error error, llvm::raw_ostream &err) {
  // An error that is not ours comes from LLVM and is about a file or the system.
  ExitCode code = ExitCode::Environment;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &failure) {
    if (failure.isA<Failure>())
      code = exitCodeOf(static_cast<const Failure &>(failure).kind());
    err << "retest: ";
    err.changeColor(llvm::raw_ostream::RED, /*Bold=*/true) << "error: ";
    err.resetColor() << failure.message() << '\n';
  });
  return code;
}

} // namespace retest
