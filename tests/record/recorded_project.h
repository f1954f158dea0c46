#pragma once

#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringRef.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace retest {

/// Waits until something holds, which it will; far too long a wait is a failure.
inline void await(const std::string &what, const std::function<bool()> &holds) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    REQUIRE_MESSAGE(std::chrono::steady_clock::now() < end, "waited in vain: ", what);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

inline std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What a baseline says: it must be the same bytes, whatever happens to later recordings.
struct BaselineText {
  std::string exported, who;
  bool operator==(const BaselineText &) const = default;
};

/// A project with tests, built and recorded once (as "old") for all test cases of a program.
class RecordedProject {
public:
  static RecordedProject &get() {
    static RecordedProject project;
    return project;
  }

  std::string path(const std::string &name) const { return directory_ / name; }
  std::string build() const { return path("project/build-retest"); }
  std::string state() const { return build() + "/.retest"; }

  ProcessResult run(std::vector<std::string> arguments,
                    std::vector<std::pair<std::string, std::string>> environment = {}) const {
    auto result = runProcess({.arguments = std::move(arguments),
                              .directory = path("project"),
                              .environment = std::move(environment)});
    REQUIRE(!!result);
    return *result;
  }
  ProcessResult retest(std::vector<std::string> arguments,
                       std::vector<std::pair<std::string, std::string>> environment = {}) const {
    arguments.insert(arguments.begin(), RETEST_PROGRAM);
    return run(std::move(arguments), std::move(environment));
  }

  BaselineText textOf(const std::string &baseline) const {
    std::string file = path("exported");
    ProcessResult result = retest({"db", "export", baseline, "-o", file});
    REQUIRE_MESSAGE(result.succeeded(), result.errors);
    return {contentOf(file), retest({"who", "good", "--base", baseline}).output};
  }
  const BaselineText &old() const { return old_; }

  /// The old baseline stands, and the next record works and cleans up.
  void checkWhole() const {
    ProcessResult check = retest({"db", "check"});
    CHECK_MESSAGE(check.succeeded(), check.output, check.errors);
    CHECK(textOf("old") == old_);
  }

  /// Names in the state directory beside those that are always there.
  std::set<std::string> leftInState() const {
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(state()))
      if (llvm::StringRef name = entry.path().filename().native(); name.starts_with("retest-run"))
        names.insert(name.str());
    return names;
  }

  /// Processes of this project: by their programs, and by where they run.
  bool isAnythingRunning() const {
    for (const auto &entry : std::filesystem::directory_iterator("/proc"))
      for (const char *link : {"exe", "cwd"}) {
        std::error_code ignored;
        auto target = std::filesystem::read_symlink(entry.path() / link, ignored);
        if (llvm::StringRef(target.native()).starts_with(directory_.path() + "/"))
          return true;
      }
    return false;
  }

private:
  RecordedProject() {
    std::filesystem::copy(PROJECT_DIRECTORY, path("project"),
                          std::filesystem::copy_options::recursive);
    for (const auto &arguments :
         std::vector<std::vector<std::string>>{{"init"}, {"record", "--name", "old"}}) {
      ProcessResult result = retest(arguments);
      REQUIRE_MESSAGE(result.succeeded(), result.output, result.errors);
    }
    old_ = textOf("old");
    REQUIRE(old_.who.find("Good.one") != std::string::npos);
  }

  TemporaryDirectory directory_;
  BaselineText old_;
};

/// A `retest record`, of which the tests may wait for a file.
class RunningRecord {
public:
  explicit RunningRecord(const RecordedProject &project, std::string awaited)
      : project_(project), awaited_(std::move(awaited)), log_(awaited_ + ".log") {
    std::filesystem::remove(awaited_);
    std::filesystem::remove(running());
    std::filesystem::remove(log_);
  }
  ~RunningRecord() { release(); }

  std::string name = "new"; ///< of the baseline

  std::string running() const { return awaited_ + ".running"; }
  /// Lets the tests end.
  void release() const { std::ofstream(awaited_).flush(); }

  /// `waits`: until a test runs.
  ChildProcess start(bool waits) const {
    int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    REQUIRE(log >= 0);
    ChildCommand command{{RETEST_PROGRAM, "record", "-v", "--name", name},
                         project_.path("project")};
    command.output = command.errors = log;
    if (waits)
      command.environment = {{"BAD_DAYS_AWAITED", awaited_}};
    auto child = ChildProcess::start(command);
    close(log);
    REQUIRE(!!child);
    if (waits)
      await("a test runs", [&] { return std::filesystem::exists(running()); });
    return std::move(*child);
  }

  std::string log() const { return contentOf(log_); }
  /// Where it has the files of tests; empty: it did not come so far.
  std::string directory() const {
    std::istringstream lines(log());
    for (std::string line; std::getline(lines, line);)
      if (auto [before, path] = llvm::StringRef(line).split("output of tests: "); !path.empty())
        return path.str();
    return "";
  }

private:
  const RecordedProject &project_;
  std::string awaited_, log_;
};

} // namespace retest
