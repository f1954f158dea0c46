#include "cli/exit_codes.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "support/error.h"

#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

int main(int argc, char **argv) {
  // A missing standard stream would hand its number to the first file we open.
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return static_cast<int>(retest::ExitCode::Environment);
  retest::endOnSignals();
  llvm::raw_fd_ostream &out = llvm::outs();
  // Never taken apart: for the graphs of a large program that takes longer than to compare them.
  static auto &leftovers = *new std::vector<std::shared_ptr<void>>;
  int code = retest::run({argv + 1, argv + argc}, out, llvm::errs(), &leftovers);

  // A result that did not reach its reader is a failure, not a short result.
  out.flush();
  if (out.has_error()) {
    llvm::Error failure = retest::error("standard output: cannot write: {}", out.error().message());
    out.clear_error();
    code = static_cast<int>(retest::reportError(std::move(failure), llvm::errs()));
  }
  return code;
}
