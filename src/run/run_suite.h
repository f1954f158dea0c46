#pragma once

#include "run/find_tests.h"
#include "run/recorded_test.h"
#include "run/run_end.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace retest {

struct SuiteOptions {
  unsigned jobs = 1;
  /// For the counters and the output of tests; an absolute path, must exist. What is made there
  /// is removed again. In memory (/dev/shm) tests are two to three times as fast as on a disk.
  std::string directory;
  /// Tests of one entry never run at the same time. CTest runs them in one process, so they may
  /// rely on it: on a file of one name, say.
  bool areEntriesSerial = false;
  bool isForking = true; ///< false: each test has a process of its own from the start
  /// Part of a program's tests that run both ways, to be compared; but at least so many.
  double sampleShare = 0.01;
  unsigned leastSample = 1;
  /// Time for that: so much in any case, and this part of what the tests take. Those that would
  /// take longer are not compared.
  std::chrono::milliseconds leastSampleTime = std::chrono::milliseconds(500);
  double sampleTimeShare = 0.05;
  /// A test that takes no longer may be the first one of its program to be compared in any case.
  std::chrono::milliseconds cheapSample = std::chrono::milliseconds(20);
  /// Of the sample: how much longer forked tests may take before they are started instead.
  double mostForkCost = 1.5;
  /// Whose use by tests is told (RunEnd::files), what a server did before `main` included.
  std::optional<WatchedPaths> watched = {};
  std::size_t outputLimit = std::size_t{1} << 20; ///< bytes that are kept of each stream
  const std::atomic<bool> *isCancelled = nullptr; ///< to be set by anybody, a signal handler too
  /// What runs goes on to its end, and nothing else begins, but for the clean-up of fixtures that
  /// were set up: once this is set, or the time has come.
  const std::atomic<bool> *isStopped = nullptr;
  std::optional<std::chrono::steady_clock::time_point> lastBegin = {};
  /// For each test: those with a lower rank begin first, as far as they can. Empty: tests of one
  /// program follow each other.
  std::vector<std::size_t> ranks = {};
};

/// How a test went, by CTest's rules.
struct TestOutcome {
  TestStatus status = TestStatus::NotRun;
  RunEnd end = {};
  bool wasForked = false;
  /// Both streams; standard output first, if CTest does not search them. What is too long is cut in
  /// the middle, and CTest's expressions see what is left.
  std::string output = {};
  /// Why this run is no measurement, in plain words; empty: it is one. A test that failed is
  /// measured; one that crashed, timed out, did not run or ran others as well is not.
  std::string unmeasured = {};
};

struct SuiteProgress {
  std::size_t done = 0, failed = 0, total = 0;
  std::vector<std::string> running = {}; ///< names
};

/// They must not call back. Any may be empty. `onFinished` and `onBeforeMain` are called by a
/// thread of their own, one at a time, while tests run; `onProgress` by others, one at a time as
/// well.
struct SuiteCallbacks {
  /// A test is over, and what has to wait for it has not begun yet: the files that it used are
  /// still what they were. Called like `onProgress`, before `onFinished`.
  std::function<void(TestOutcome &outcome)> onEnded = {};
  /// A test is over; its counter files are in the directory, which goes away afterwards. It may be
  /// called again for a test (runSuite): the last call counts.
  std::function<void(std::size_t test, const TestOutcome &outcome,
                     const std::string &counterDirectory)>
      onFinished = {};
  /// What a program counted before `main`; it belongs to each of its tests that was forked. Called
  /// for each process that tests are forked from. The directory has counters of others as well that
  /// it had started, none of which goes on.
  std::function<void(const std::string &program, pid_t process,
                     const std::string &counterDirectory)>
      onBeforeMain = {};
  std::function<void(const SuiteProgress &)> onProgress = {};
};

/// A program whose tests are started one by one, not forked.
struct UnforkedProgram {
  std::string program;
  std::string reason;
  bool outcomesDiffered = false; ///< that is: a test ended otherwise when it was forked

  auto operator<=>(const UnforkedProgram &) const = default;
};

struct SuiteResult {
  std::vector<UnforkedProgram> unforked; ///< sorted
  /// Programs whose tests were all forked and none compared: there was no time for it. Sorted.
  std::vector<std::string> uncompared;
  bool wasCancelled = false; ///< then tests are missing
  bool wasStopped = false;   ///< likewise
};

/// Runs all tests, each from pristine memory, under the conditions that CTest promises to them.
///
/// A program of a framework is kept at its `main`, and forked for each test, as long as nothing
/// stands against it: what the program says of itself (ForkServer::objection), a test that does not
/// run alone, a sample that ends otherwise in a process of its own, or is cheaper so. Then all its
/// tests are started instead, also those that were forked already if outcomes differed. A test that
/// does not succeed when it is forked is repeated as a process of its own, and that result counts.
///
/// A test has no terminal and no input. When it is over, or too late, all processes of its group
/// are ended, and at the end of the suite also those that left it.
llvm::Expected<SuiteResult> runSuite(const std::vector<SuiteEntry> &entries,
                                     const std::vector<FoundTest> &tests,
                                     const SuiteOptions &options, const SuiteCallbacks &callbacks);

} // namespace retest
