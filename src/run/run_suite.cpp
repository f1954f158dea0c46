#include "run/run_suite.h"

#include "run/call_queue.h"
#include "run/end_strays.h"
#include "run/list_tests.h"
#include "run/suite_schedule.h"
#include "run/suite_worker.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace retest {

namespace {

/// Fewer tests that ran both ways do not tell which way is dearer, unless they differ by so much.
constexpr unsigned kLeastWeighed = 3;
constexpr auto kTellingDifference = std::chrono::milliseconds(50);
/// For a daemon to begin to wait, in milliseconds.
constexpr int kMostRestLooks = 50;
/// Tests that have run, and are not looked at yet: their counters take room.
constexpr std::size_t kMostFinished = 3; // for each job, and one more

const char *wordFor(TestStatus status) {
  switch (status) {
  case TestStatus::Passed:
    return "passed";
  case TestStatus::Failed:
    return "failed";
  case TestStatus::TimedOut:
    return "timed out";
  case TestStatus::Crashed:
    return "crashed";
  case TestStatus::Skipped:
    return "was skipped";
  case TestStatus::Disabled:
    return "was disabled";
  case TestStatus::NotRun:
    return "did not run";
  }
  return "";
}

/// Whether a process has begun to count there. An empty file was only offered to one.
bool hasCounters(const RanTest &ran) {
  std::error_code code;
  if (ran.directory)
    for (llvm::sys::fs::directory_iterator entry(ran.directory->counters(), code), end;
         entry != end && !code; entry.increment(code))
      if (auto status = entry->status(); status && status->getSize() > 0)
        return true;
  return false;
}

RanTest notRun(TestStatus status, std::string reason) {
  RanTest ran;
  ran.outcome.status = status;
  ran.outcome.unmeasured = std::move(reason);
  return ran;
}

/// A suite that is being run. Everything below is guarded by the mutex, but for what never changes.
class SuiteRun {
public:
  SuiteRun(const std::vector<SuiteEntry> &entries, const std::vector<FoundTest> &tests,
           const SuiteOptions &options, const SuiteCallbacks &callbacks)
      : strays_(options.directory), suite_{entries, tests, options, strays_, {}, {}, {}},
        callbacks_(callbacks),
        schedule_(entries, tests, options.jobs, options.areEntriesSerial, options.ranks),
        statuses_(tests.size()) {
    progress_.total = tests.size();
    for (const SuiteEntry &entry : entries)
      suite_.rules.push_back(outcomeRulesOf(entry));
    suite_.onBeforeMain = [this](const std::string &program, pid_t process,
                                 const std::string &directory) {
      if (callbacks_.onBeforeMain)
        finished_.addAndWait([&] { callbacks_.onBeforeMain(program, process, directory); });
    };
    // The next test is on its way: now is the time for the one before.
    suite_.onSent = [this] { finished_.wake(); };
    if (options.isForking)
      chooseSamples();
    else
      refuseAll();
  }

  SuiteResult run() {
    endListings();
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < suite_.options.jobs; ++i)
      threads.emplace_back([this] { work(); });
    work();
    for (std::thread &thread : threads)
      thread.join();
    endStrays(suite_.options.directory);
    SuiteResult result;
    result.wasCancelled = isCancelled();
    result.wasStopped = wasStopped_;
    for (const auto &[name, program] : programs_) {
      if (!program.reason.empty())
        result.unforked.push_back({name, program.reason, program.outcomesDiffered});
      else if (program.compared == 0)
        result.uncompared.push_back(name);
    }
    return result;
  }

private:
  struct Program {
    std::string reason; ///< why it is not forked; empty: it is
    bool outcomesDiffered = false;
    std::chrono::microseconds forkedTime{0}, aloneTime{0}; ///< of the sample
    unsigned compared = 0;
    std::map<std::size_t, TestOutcome> forked; ///< tests that are done; without their output
  };

  bool isCancelled() const {
    return suite_.options.isCancelled && suite_.options.isCancelled->load();
  }

  bool isStopped() const {
    return (suite_.options.isStopped && suite_.options.isStopped->load()) ||
           (suite_.options.lastBegin &&
            std::chrono::steady_clock::now() > *suite_.options.lastBegin);
  }

  /// Spread over the program: tests that lie together are alike.
  void chooseSamples() {
    std::map<std::string, std::vector<std::size_t>> candidates;
    for (std::size_t i = 0; i < suite_.tests.size(); ++i)
      if (const FoundTest &test = suite_.tests[i]; !test.program.empty() && !test.isDisabled)
        candidates[test.program].push_back(i);
    for (const auto &[program, tests] : candidates) {
      auto share = static_cast<std::size_t>(
          std::ceil(suite_.options.sampleShare * static_cast<double>(tests.size())));
      std::size_t count = std::clamp<std::size_t>(share, suite_.options.leastSample, 1 << 20);
      count = std::min(count, tests.size());
      for (std::size_t i = 0; i < count; ++i) {
        samples_.insert(tests[i * tests.size() / count]);
        schedule_.goFirst(tests[i * tests.size() / count]);
      }
    }
  }

  void refuseAll() {
    for (const FoundTest &test : suite_.tests)
      if (!test.program.empty() && !test.isDisabled)
        refuse(test.program, "as it was asked for");
  }

  void work() {
    SuiteWorker worker(suite_);
    std::optional<std::size_t> previous;
    std::unique_lock lock(mutex_);
    while (!isCancelled() && !schedule_.isDone()) {
      if (!wasStopped_ && isStopped()) {
        wasStopped_ = true;
        schedule_.giveUp();
        continue;
      }
      std::optional<std::size_t> test = schedule_.next(previous);
      if (!test) {
        for (std::size_t stuck : schedule_.takeStuck())
          tell(stuck, notRun(TestStatus::NotRun, "it waits for tests that wait for it"));
        changed_.wait_for(lock, std::chrono::milliseconds(100)); // looks for cancellation, too
        continue;
      }
      previous = test;
      tellProgress();
      std::string hindrance = schedule_.hindrance(*test);
      lock.unlock();
      RanTest ran = hindrance.empty() ? runTest(worker, *test)
                                      : notRun(TestStatus::NotRun, std::move(hindrance));
      lock.lock();
      while (ran.outcome.wasForked && programs_[suite_.tests[*test].program].outcomesDiffered) {
        lock.unlock(); // somebody else found it out
        ran = worker.runAlone(*test);
        lock.lock();
      }
      bool hasFailed = isFailure(ran.outcome.status);
      if (!ran.wasCancelled)
        tell(*test, std::move(ran));
      schedule_.finish(*test, hasFailed);
      changed_.notify_all();
    }
    changed_.notify_all();
  }

  RanTest runTest(SuiteWorker &worker, std::size_t test) {
    const FoundTest &found = suite_.tests[test];
    if (found.isDisabled)
      return notRun(TestStatus::Disabled, "it is disabled");
    if (std::string reason = worker.hindrance(test); !reason.empty())
      return notRun(TestStatus::NotRun, std::move(reason));
    if (found.program.empty() || !isForked(found.program))
      return worker.runAlone(test);
    llvm::Expected<RanTest> forked = worker.runForked(test);
    if (!forked) {
      if (isCancelled())
        return worker.runAlone(test);
      refuse(found.program, llvm::toString(forked.takeError()));
      return worker.runAlone(test);
    }
    bool isWhole =
        forked->succeeded() && forked->outcome.unmeasured.empty() && hasCounters(*forked);
    if (forked->endedParent || forked->wasCancelled ||
        (isWhole && !hasTimeToCompare(test, forked->outcome.end.wall)))
      return std::move(*forked);
    RanTest alone = worker.runAlone(test);
    if (alone.wasCancelled)
      return alone;
    if (isWhole)
      chargeSample(alone.outcome.end.wall);
    bool isSame = compare(test, *forked, alone);
    return isSame && isWhole ? std::move(*forked) : std::move(alone);
  }

  /// Whether a test that took so long is to run once more: one of the sample, or of a program that
  /// is in doubt, because there was no time for its sample, or because forks seem to be dear.
  bool hasTimeToCompare(std::size_t test, std::chrono::microseconds wall) {
    std::lock_guard lock(mutex_);
    const Program &program = programs_[suite_.tests[test].program];
    bool isInDoubt = (program.compared == 0 && suite_.options.leastSample != 0) ||
                     (program.compared < kLeastWeighed && seemsDear(program));
    if (!samples_.count(test) && !isInDoubt)
      return false;
    auto most = suite_.options.leastSampleTime + suite_.options.sampleTimeShare * testTime_;
    bool isCheap = program.compared == 0 && wall <= suite_.options.cheapSample;
    return isCheap || sampleTime_ + wall <= most;
  }

  void chargeSample(std::chrono::microseconds wall) {
    std::lock_guard lock(mutex_);
    sampleTime_ += wall;
  }

  bool isForked(const std::string &program) {
    std::lock_guard lock(mutex_);
    return programs_[program].reason.empty();
  }

  void refuse(const std::string &program, std::string reason) {
    std::lock_guard lock(mutex_);
    if (programs_[program].reason.empty())
      programs_[program].reason = std::move(reason);
  }

  /// Whether both ways tell the same. If not, the program is not forked any more.
  bool compare(std::size_t test, const RanTest &forked, const RanTest &alone) {
    const FoundTest &found = suite_.tests[test];
    std::string difference;
    if (forked.outcome.status != alone.outcome.status)
      difference =
          fmt::format("{} {} when it was forked, and {} as a process of its own", found.name,
                      wordFor(forked.outcome.status), wordFor(alone.outcome.status));
    else if (forked.outcome.unmeasured != alone.outcome.unmeasured && !forked.isBesideStray &&
             !alone.isBesideStray)
      difference = fmt::format("{}, when it was forked: {}; as a process of its own: {}",
                               found.name, forked.outcome.unmeasured, alone.outcome.unmeasured);
    else if (!hasCounters(forked) && hasCounters(alone))
      difference = fmt::format("{} leaves no counters when it is forked", found.name);
    std::lock_guard lock(mutex_);
    Program &program = programs_[found.program];
    if (!difference.empty()) {
      program.reason = std::move(difference);
      if (!std::exchange(program.outcomesDiffered, true))
        repeatForked(program);
      return false;
    }
    weigh(program, forked.outcome.end.wall, alone.outcome.end.wall);
    return true;
  }

  bool seemsDear(const Program &program) const {
    return static_cast<double>(program.forkedTime.count()) >
           suite_.options.mostForkCost * static_cast<double>(program.aloneTime.count());
  }

  void weigh(Program &program, std::chrono::microseconds forked, std::chrono::microseconds alone) {
    program.forkedTime += forked;
    program.aloneTime += alone;
    ++program.compared;
    bool isTelling = program.compared >= kLeastWeighed ||
                     program.forkedTime - program.aloneTime > kTellingDifference;
    if (program.reason.empty() && isTelling && seemsDear(program))
      program.reason =
          fmt::format("{} tests took {} us when they were forked, and {} us as "
                      "processes of their own",
                      program.compared, program.forkedTime.count(), program.aloneTime.count());
  }

  /// What was forked so far runs again, or, if what it needs is gone, is no measurement.
  void repeatForked(Program &program) {
    for (auto &[test, outcome] : std::exchange(program.forked, {})) {
      if (schedule_.reopen(test))
        continue;
      RanTest ran;
      ran.outcome = std::move(outcome);
      ran.outcome.wasForked = false; // it is not to be repeated
      ran.outcome.unmeasured =
          "it was forked, which its program does not stand, and its fixture is "
          "cleaned up already";
      tell(test, std::move(ran));
    }
    changed_.notify_all();
  }

  void tell(std::size_t test, RanTest ran) {
    if (callbacks_.onEnded)
      callbacks_.onEnded(ran.outcome);
    if (ran.outcome.wasForked) {
      TestOutcome kept = ran.outcome;
      kept.output.clear();
      programs_[suite_.tests[test].program].forked[test] = std::move(kept);
    }
    testTime_ += ran.outcome.end.wall;
    TestStatus status = ran.outcome.status;
    if (callbacks_.onFinished)
      finished_.add([this, test, ran = std::move(ran)]() mutable {
        finish(test, ran.outcome, ran.directory.get());
      });
    auto before = std::exchange(statuses_[test], status);
    progress_.done += before ? 0 : 1; // it may have run again
    progress_.failed += isFailure(status);
    progress_.failed -= before && isFailure(*before);
    tellProgress();
  }

  /// By the thread of the queue. Counters that change while they are read contradict each other.
  void finish(std::size_t test, TestOutcome &outcome, const RunDirectory *directory) {
    bool hasStrays = directory && directory->hasStrays();
    unsigned activity = hasStrays ? restingActivity() : 0;
    callbacks_.onFinished(test, outcome, directory ? directory->counters() : std::string());
    if (!hasStrays || strays_.activity() == activity || !outcome.unmeasured.empty())
      return;
    outcome.unmeasured = "a process of it was at work while its counters were read";
    callbacks_.onFinished(test, outcome, "");
  }

  /// Of strays: when they have come to rest, or do not within a moment.
  unsigned restingActivity() {
    unsigned activity = strays_.activity();
    for (int attempt = 0; attempt < kMostRestLooks; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (unsigned before = std::exchange(activity, strays_.activity()); before == activity)
        break;
    }
    return activity;
  }

  void tellProgress() {
    if (!callbacks_.onProgress)
      return;
    progress_.running.clear();
    for (std::size_t test : schedule_.running())
      progress_.running.push_back(suite_.tests[test].name);
    callbacks_.onProgress(progress_);
  }

  StrayProcesses strays_; ///< has a mutex of its own
  SuiteWorker::Suite suite_;
  const SuiteCallbacks &callbacks_;
  std::set<std::size_t> samples_; ///< stays as it is
  bool wasStopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  SuiteSchedule schedule_;
  std::map<std::string, Program> programs_;
  std::vector<std::optional<TestStatus>> statuses_; ///< of tests that are done
  SuiteProgress progress_;
  std::chrono::microseconds testTime_{0}, sampleTime_{0};       ///< so far
  CallQueue finished_{kMostFinished * suite_.options.jobs + 1}; ///< while the next tests run
};

} // namespace

llvm::Expected<SuiteResult> runSuite(const std::vector<SuiteEntry> &entries,
                                     const std::vector<FoundTest> &tests,
                                     const SuiteOptions &options, const SuiteCallbacks &callbacks) {
  auto probe = RunDirectory::make(options.directory);
  if (!probe)
    return probe.takeError();
  return SuiteRun(entries, tests, options, callbacks).run();
}

} // namespace retest
