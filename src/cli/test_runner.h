#pragma once

#include "cli/built_binaries.h"
#include "cli/last_failed.h"
#include "cli/record_suite.h"
#include "cli/run_targets.h"
#include "cli/test_run.h"
#include "cli/write_baseline.h"

#include <map>

namespace retest {

using RunClock = std::chrono::steady_clock;

inline std::chrono::milliseconds since(RunClock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(RunClock::now() - begin);
}

/// Of a test that selection leaves out.
inline constexpr const char *kNotAffected = "not affected";

/// The project as it was built, with all its graphs: what tests are recorded against.
struct CurrentProject {
  Tree tree;
  Names names;
  Project project;
  ProgramPlan plan;
};

/// A `retest run` while it goes on: first everything is prepared (test_run_prepare.cpp), then tests
/// run in rounds (test_run_rounds.cpp), then the store is brought up to date (test_run_store.cpp).
class TestRunner {
public:
  TestRunner(const TestRunOptions &options, std::optional<DeferredSignals> &signals,
             Context &context)
      : options_(options), signals_(signals), context_(context),
        buildsAll_(options.scope == RunScope::All) {}

  llvm::Expected<TestRunReport> run();
  llvm::Expected<std::unique_ptr<TestRunPlan>> plan();

private:
  bool isCancelled() const { return signals_ && signals_->hasCome(); }
  llvm::Error select(bool readsAllUnits);
  void keepDelta();
  bool isWanted(const ReportedTest &test) const;
  std::set<std::string> entriesOf(const RecordedTest &test) const;
  std::set<TestKey> writersFor(const std::set<TestKey> &readers) const;
  std::set<TestKey> keysToRun() const;
  std::set<std::string> neededBinaries() const;
  TargetPlan targets();
  llvm::Expected<bool> build();
  bool hasWork() const;
  llvm::Error prepare();
  llvm::Error openProject();
  bool isUpToDate(const std::string &binary) const;
  llvm::Expected<FilesInUse> filesInUse();
  llvm::Expected<bool> list();
  void choose();
  void addCompanions(std::vector<std::size_t> &tests) const;
  bool needsMore();
  RunCandidate candidateOf(std::size_t test) const;
  void applyShard();
  void applyBudget();
  llvm::Error runChosen();
  llvm::Error repeatEscapes();
  llvm::Error runOnce(std::vector<std::size_t> tests, bool mayStop);
  std::string finished(std::size_t test, const TestOutcome &outcome);
  std::vector<std::size_t> failing(llvm::ArrayRef<std::size_t> tests) const;
  llvm::Error checkVersion();
  llvm::Error addOthers();
  llvm::Error updateStore();
  void keepFailures() const;
  void addResults();

  const TestRunOptions &options_;
  std::optional<DeferredSignals> &signals_; ///< while tests run, and until all is told
  Context &context_;
  bool buildsAll_;
  std::string whyAll_;

  SelectionReport selection_;
  std::map<TestKey, const ReportedTest *> known_; ///< in selection_
  SelectionBasis basis_;
  ProjectPaths paths_;
  std::set<TestKey> lastFailed_;
  std::set<std::string> usedReports_; ///< seen in this run
  std::set<std::string> extra_;       ///< binaries that turned out to be needed
  std::optional<TargetPlan> built_;
  std::optional<CurrentProject> project_;
  BuiltBinaries binaries_;
  std::optional<BaselineInfo> info_; ///< of what was built
  std::unique_ptr<SuiteRecorder> suite_;
  std::set<TestKey> quarantined_;
  std::vector<std::size_t> chosen_;          ///< of the suite's tests; sorted
  std::map<std::size_t, const char *> left_; ///< tests that were wanted, and why they are left out
  std::vector<std::size_t> ranks_;           ///< of all tests of the suite, or none
  std::map<std::size_t, std::vector<TestAttempt>> attempts_;
  std::map<std::size_t, unsigned> lastRound_; ///< of attempts_
  unsigned round_ = 0;
  std::optional<RunClock::time_point> deadline_;
  std::atomic<bool> isStopped_ = false;
  TestRunReport report_;
};

} // namespace retest
