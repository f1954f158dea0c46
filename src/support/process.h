#pragma once

#include "support/child_process.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// A child process to run. No shell is involved: each argument arrives as it is written here.
struct ProcessCommand {
  std::vector<std::string> arguments; ///< the program first; looked up in PATH without a slash
  std::string directory = {};         ///< working directory; empty: ours
  std::string input = {};             ///< its standard input
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< set on top of ours
  std::optional<std::chrono::milliseconds> timeout = {};             ///< nothing: wait for ever
  std::vector<std::string> removed = {}; ///< variables of ours that it does not get
};

/// How a child process ended, and what it wrote.
struct ProcessResult {
  int exitCode = 0;      ///< 128 + signal if a signal ended it, as a shell says it
  int signal = 0;        ///< 0 if it exited by itself
  bool timedOut = false; ///< it was killed because its time was up
  std::string output;    ///< its standard output
  std::string errors;    ///< its standard error

  bool succeeded() const { return exitCode == 0 && !timedOut; }
};

/// Runs a child to its end. Fails only if it cannot be started; a child that fails is a result.
///
/// The child leads a process group of its own, so a timeout ends it with everything it started.
/// Output goes to memory files, not pipes: no reader has to keep up, and a grandchild that lives
/// on with the inherited streams does not keep us waiting.
llvm::Expected<ProcessResult> runProcess(const ProcessCommand &command);

} // namespace retest
