#pragma once

#include "build/coverage_build.h"
#include "cov/counter_file.h"
#include "run/run_program.h"
#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

namespace retest {

/// Runs a command in a directory; it has to succeed.
inline std::string runThere(const std::string &directory, std::vector<std::string> command) {
  ProcessCommand process;
  process.directory = directory;
  process.arguments = std::move(command);
  ProcessResult result = llvm::cantFail(runProcess(process));
  INFO(result.errors);
  REQUIRE(result.exitCode == 0);
  return result.output;
}

/// Compiles sources of `directory`, each on its own, and links them to `output`, as `retest init
/// --gcc` would have it. `flags` are for both.
inline void buildWithGcc(const std::string &directory, const std::vector<std::string> &sources,
                         const std::string &output, const std::vector<std::string> &flags = {}) {
  llvm::cantFail(prepareCoverageBuild({directory, directory, CoverageKind::Gcc}));
  std::vector<std::string> link = {
      "g++", "--coverage", "-T" + gccLinkerScript(directory), "-Wl,--build-id", "-o", output};
  for (const std::string &source : sources) {
    std::vector<std::string> compile = {"g++", "-w", "-c", source, "-o", source + ".o"};
    compile.insert(compile.end(), gccCompileFlags().begin(), gccCompileFlags().end());
    compile.insert(compile.end(), flags.begin(), flags.end());
    runThere(directory, compile);
    link.push_back(source + ".o");
  }
  link.insert(link.end(), flags.begin(), flags.end());
  runThere(directory, link);
}

struct CountedRun {
  RunEnd end;
  std::vector<ModuleCounters> counters;
};

/// Runs a program as the recorder does.
inline CountedRun runCounted(const TemporaryDirectory &directory,
                             std::vector<std::string> arguments) {
  ProgramRun run;
  run.arguments = std::move(arguments);
  run.directory = directory.path();
  run.outputFile = run.errorFile = directory / "output";
  run.counterDirectory = directory / "counters";
  std::filesystem::create_directories(run.counterDirectory);
  RunEnd end = llvm::cantFail(runProgram(run));
  return {end, llvm::cantFail(takeCounterFiles(run.counterDirectory))};
}

/// No profile of GCC's own runtime may be written, wherever a program runs.
inline bool hasProfiles(const std::string &directory) {
  for (const auto &entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.path().extension() == ".gcda")
      return true;
  return false;
}

} // namespace retest
