#pragma once

#include "run/ctest_suite.h"
#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace retest {

/// A CMake project without a language, configured in a directory of its own: tests of programs that
/// are there already.
class CTestProject {
public:
  /// `lists` follows `project()` and `enable_testing()`.
  explicit CTestProject(const std::string &lists,
                        const std::map<std::string, std::string> &files = {}) {
    for (const auto &[name, text] : files)
      directory_.write(name, text);
    directory_.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(x NONE)\n"
                                       "enable_testing()\n" +
                                           lists);
    run({"cmake", "-G", "Ninja", "-S", directory_.path(), "-B", build()}, "");
  }

  std::string build() const { return directory_ / "build"; }
  const TemporaryDirectory &directory() const { return directory_; }

  std::vector<SuiteEntry> entries() const {
    auto entries = readCTestSuite(build());
    if (!entries)
      FAIL(llvm::toString(entries.takeError()));
    return *entries;
  }

  /// What CTest itself says of each test: "Passed", "***Skipped", "***Exception"...
  std::map<std::string, std::string> verdicts(const std::vector<std::string> &options = {}) const {
    std::vector<std::string> command = {"ctest"};
    command.insert(command.end(), options.begin(), options.end());
    std::map<std::string, std::string> result;
    std::string text = run(command, build());
    for (llvm::StringRef rest = text; !rest.empty();) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      auto [before, after] = line.split(": ");
      if (!before.contains("Test ") || !before.contains('#'))
        continue;
      auto [name, verdict] = after.split(' ');
      verdict = verdict.substr(std::min(verdict.find("***"), verdict.find("Passed")));
      result[name.str()] = verdict.take_until([](char c) { return c == ':' || c == ' '; }).str();
    }
    return result;
  }

private:
  static std::string run(const std::vector<std::string> &command, const std::string &directory) {
    auto result = runProcess({.arguments = command, .directory = directory});
    if (!result)
      FAIL(llvm::toString(result.takeError()));
    if (command.front() == "cmake" && !result->succeeded())
      FAIL(result->errors);
    return result->output;
  }

  TemporaryDirectory directory_;
};

} // namespace retest
