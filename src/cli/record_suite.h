#pragma once

#include "cli/build_files.h"
#include "cli/context.h"
#include "cli/tree.h"
#include "cov/coverage_collector.h"
#include "run/run_suite.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/StringSet.h>

namespace retest {

/// How the tests of a project are run while they are recorded.
struct RecordSuiteOptions {
  unsigned jobs = 1;
  /// Tests of one CTest entry may run at the same time, although CTest runs them one by one.
  bool splitsEntries = false;
  bool isForking = true;
  unsigned repeats = 1; ///< how often the whole suite runs; a test keeps the union
  /// A test that takes longer is ended, whatever its entry allows.
  std::optional<std::chrono::milliseconds> timeout = {};
};

/// What came of it.
struct RecordedSuite {
  CoverageMatrix matrix;
  std::vector<UnforkedProgram> unforked;
  std::vector<std::string> uncompared; ///< as SuiteResult::uncompared
  CoverageCollector::Statistics witnesses;
  std::vector<std::string> unstable; ///< ids of tests that did not do the same each time
  std::string filesUnknown;          ///< why files were not watched; empty: they were
  std::chrono::milliseconds wall{0};
};

/// Which tests run in a round, and when it ends early.
struct RoundPlan {
  std::vector<std::size_t> tests; ///< of SuiteRecorder::tests(); sorted
  /// Of each of them: those with a lower rank begin first. Empty: program by program.
  std::vector<std::size_t> ranks = {};
  const std::atomic<bool> *isCancelled = nullptr; ///< what runs is ended
  const std::atomic<bool> *isStopped = nullptr;   ///< what runs goes on, nothing else begins
  std::optional<std::chrono::steady_clock::time_point> lastBegin = {}; ///< nothing begins later
  /// A test is over. Called by one thread at a time; again for one that had to be repeated. What
  /// it gives is shown as a line of its own, unless it is empty.
  std::function<std::string(std::size_t test, const TestOutcome &outcome)> onFinished = {};
};

/// Runs tests of a build directory, and gathers what each of them reached: all, or some; once, or
/// in several rounds, after which a test has the union of what it did.
///
///     SuiteRecorder suite(tree, project, names, options, context);
///     prepare(), runRound(...), runRound(...), ... finish()
class SuiteRecorder {
public:
  /// REQUIRES: all of them outlive the object.
  SuiteRecorder(const Tree &tree, const Project &project, const Names &names,
                const RecordSuiteOptions &options, Context &context);

  /// Binaries of the project, by name, that nobody has built for this run: what uses one of them
  /// was not run as it should be. Programs among them are not asked for their tests.
  llvm::StringSet<> stale;
  /// Not everything was built, and so not all files that the build may make for tests.
  bool areFilesStale = false;
  llvm::StringSet<> builtFiles; ///< names of those that were
  /// Tests as they were recorded earlier. Those of programs that are stale have a place in the
  /// matrix, though they cannot be run.
  std::vector<RecordedTest> known;

  /// What is known of the files that tests use, but for where that is seen.
  FilesInUse filesInUse;

  /// Finds the tests. An error if there are none, or nothing of the project has counters.
  llvm::Error prepare();
  const std::vector<SuiteEntry> &entries() const { return entries_; }
  const std::vector<FoundTest> &tests() const { return tests_; }
  /// Of a test: what is known of it, and its number in the matrix.
  const RecordedTest &recorded(std::size_t test) const { return recorded_[ids_[test].value]; }
  RecordedTest &recorded(std::size_t test) { return recorded_[ids_[test].value]; }
  TestId idOf(std::size_t test) const { return ids_[test]; }

  /// Runs some of the tests. Later rounds add to what earlier ones say of a test.
  llvm::Error runRound(const RoundPlan &plan);

  /// A test used something that is stale, in words; empty: none did.
  const std::string &usedStale() const { return usedStale_; }

  /// Reports that tests use though the programs that write them ran test by test: it has to begin
  /// again, with these in `filesInUse`. Usually none.
  const std::set<std::string> &usedReports() const { return usedReports_; }

  /// Of all tests, by TestId; those that did not run are unmeasured.
  const std::vector<RecordedTest> &recorded() const { return recorded_; }
  std::vector<RecordedTest> &recorded() { return recorded_; }
  /// By TestId: whether it has run.
  const llvm::BitVector &hasRun() const { return hasRun_; }
  CoverageCollector &collector() { return collector_; }
  const std::string &filesUnknown() const { return result_.filesUnknown; }
  /// Puts the matrix together. Nothing can be run afterwards.
  RecordedSuite finish();

private:
  llvm::Error loadModules();
  llvm::Error findAll();
  void dropStaleEntries();
  void keepReports(SuiteEntry entry);
  void addReport(const std::string &report);
  void addKnown();
  llvm::Error runTests(const RoundPlan &plan, const SuiteOptions &suite);
  void forgetIsolation(llvm::ArrayRef<FoundTest> tests);
  RecordedTest describe(const FoundTest &test);
  void finishTest(std::size_t test, const TestOutcome &outcome, const std::string &counters);
  void measure(TestId id, const FoundTest &test, const TestOutcome &outcome,
               const std::string &counters);
  std::string readAsData(const RecordedTest &recorded, const FileObservations &observed) const;
  void addFiles(RecordedTest &recorded, const FileObservations &observed);
  void lookForStale(const RecordedTest &test, const FileObservations &observed);
  void lookForReports(const FoundTest &test, const TestOutcome &outcome);
  std::vector<std::string> watchedRoots() const;
  void beforeMain(const std::string &program, pid_t process, const std::string &counters);
  std::optional<WatchedPaths> watchedPaths(const std::string &ours);

  const Tree &tree_;
  const Project &project_;
  const Names &names_;
  const RecordSuiteOptions options_;
  Context &context_;
  CoverageCollector collector_;
  bool hasGcc_ = false;        ///< some units are counted by GCC
  bool mayLoseCounts_ = false; ///< when processes are killed
  const BuiltFiles built_;
  llvm::StringSet<> binaries_;                ///< names of what the build links
  llvm::StringMap<std::string> programNames_; ///< by path
  std::vector<SuiteEntry> entries_;
  std::vector<FoundTest> tests_;
  llvm::StringSet<> dropped_; ///< names of entries whose programs are stale
  std::vector<TestId> ids_;   ///< of tests_
  std::vector<RecordedTest> recorded_;
  llvm::BitVector hasRun_, finished_;           ///< by TestId: in an earlier round; in this one
  std::vector<TestId> unstable_;                ///< whose outcomes were not the same
  llvm::StringMap<std::string> lostBeforeMain_; ///< programs, with what went wrong
  FileStates files_;
  std::string usedStale_;
  ReportFiles reports_; ///< of programs that run test by test
  std::set<std::string> allReports_, usedReports_;
  RecordedSuite result_;
};

/// Runs all tests of the build directory and gathers what each of them reached.
///
/// An error if there are no tests, or nothing of the project has counters. Tests that cannot be
/// measured are in the matrix, with the reason.
llvm::Expected<RecordedSuite> recordSuite(const Tree &tree, const Project &project,
                                          const Names &names, const RecordSuiteOptions &options,
                                          Context &context);

} // namespace retest
