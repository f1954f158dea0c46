#pragma once

#include "run/run_end.h"
#include "run/run_watch.h"

namespace retest {

/// One start of a program, for one test: the reference against which the fork server is held, and
/// the way for what it cannot keep (scripts, static executables, threads before main).
struct ProgramRun {
  std::vector<std::string> arguments; ///< the program first
  std::string directory = {};         ///< working directory; empty: ours
  std::vector<std::pair<std::string, std::string>> environment = {}; ///< set on top of ours
  std::string outputFile, errorFile;                                 ///< appended to
  std::string counterDirectory; ///< for this process and those that it starts; must exist
  std::optional<std::chrono::milliseconds> timeout = {};
  std::vector<std::string> removed = {}; ///< variables of ours that it does not get
  const RunWatch *watch = nullptr;
  std::optional<WatchedPaths> watched = {}; ///< none: files are not watched
};

/// An error only if it cannot be started.
llvm::Expected<RunEnd> runProgram(const ProgramRun &run);

} // namespace retest
