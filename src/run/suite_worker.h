#pragma once

#include "run/fork_server.h"
#include "run/run_directory.h"
#include "run/run_suite.h"
#include "run/test_outcome.h"

#include <llvm/Support/FileSystem/UniqueID.h>

#include <list>
#include <map>
#include <memory>
#include <tuple>

namespace retest {

/// A test that has run, and where its counters are.
struct RanTest {
  TestOutcome outcome = {};
  std::unique_ptr<RunDirectory> directory = {}; ///< none: it was not started
  bool wasCancelled = false;
  bool endedParent = false;   ///< the process that it was started from is gone since
  bool isBesideStray = false; ///< a process of an earlier test was at work meanwhile

  bool succeeded() const {
    return outcome.status == TestStatus::Passed || outcome.status == TestStatus::Skipped;
  }
};

/// Runs tests of a suite one after the other, forked or as processes of their own. Each thread has
/// one, and its own servers: a server runs one test at a time.
///
/// All processes of tests begin in three functions: serverFor and keeperFor (what they are forked
/// from) and startProgram. Whoever wants to see what a test does begins there.
class SuiteWorker {
public:
  /// What all workers of a suite share; stays as it is.
  struct Suite {
    const std::vector<SuiteEntry> &entries;
    const std::vector<FoundTest> &tests;
    const SuiteOptions &options;
    StrayProcesses &strays;
    std::vector<OutcomeRules> rules; ///< for each entry
    /// When a program has come to its `main`.
    std::function<void(const std::string &program, pid_t process,
                       const std::string &counterDirectory)>
        onBeforeMain;
    std::function<void()> onSent; ///< when the request for a test is on its way
  };

  explicit SuiteWorker(const Suite &suite) : suite_(suite) {}

  /// Why the test cannot be started; empty: it can.
  std::string hindrance(std::size_t test) const;

  RanTest runAlone(std::size_t test);
  /// An error says why the program cannot be forked.
  llvm::Expected<RanTest> runForked(std::size_t test);

private:
  struct Run; ///< one that goes on
  using ServerKey = std::tuple<std::string, std::vector<std::pair<std::string, std::string>>,
                               std::vector<std::string>, std::string>;
  struct Server {
    ServerKey key;
    std::unique_ptr<RunDirectory> directory;
    ForkServer server;
    llvm::sys::fs::UniqueID
        place{}; ///< where it is: a directory of the same name may be another one
  };

  const SuiteEntry &entryOf(std::size_t test) const {
    return suite_.entries[suite_.tests[test].entry];
  }
  /// What runs programs: a process between us and them, as a test may end its parent. Nothing: it
  /// cannot be had, or the program's path has a `=`.
  ForkServer *keeperFor(const std::string &program);
  llvm::Expected<RunEnd> startProgram(Run &run, EntryEnvironment environment, ForkServer *keeper);
  llvm::Expected<Server *> serverFor(std::size_t test, const EntryEnvironment &environment);
  TestOutcome judge(const Run &run, const RunEnd &end) const;
  RanTest finished(std::unique_ptr<Run> run, llvm::Expected<RunEnd> end) const;
  RanTest endedParent(const Run &run, pid_t group) const;
  ServerRun requestFor(const Run &run);
  llvm::Expected<std::unique_ptr<RunDirectory>> makeDirectory();

  const Suite &suite_;
  std::list<Server> servers_;           ///< the last used one first
  std::unique_ptr<RunDirectory> spare_; ///< made for the next test while one runs
  std::unique_ptr<RunDirectory> keeperDirectory_;
  std::optional<ForkServer> keeper_;
  bool hasNoKeeper_ = false;
  std::map<std::string, unsigned> fileChanges_; ///< of programs, between two of their tests
};

/// The environment of a test: that of its entry, without what chooses tests.
llvm::Expected<EntryEnvironment> testEnvironment(const SuiteEntry &entry);

} // namespace retest
