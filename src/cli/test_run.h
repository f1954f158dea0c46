#pragma once

#include "cli/make_selection.h"
#include "cli/signals.h"
#include "report/junit.h"
#include "select/run_order.h"

#include <memory>

namespace retest {

/// Which tests a run is about.
enum class RunScope { Selected, All, LastFailed };

struct TestRunOptions {
  SelectionOptions selection;
  RunScope scope = RunScope::Selected;
  bool skipsBuild = false;
  bool skipsForking = false;
  bool parallelCases = false;
  std::optional<std::chrono::microseconds> budget = {};
  std::optional<Shard> shard = {};
  std::optional<std::chrono::milliseconds> timeout = {};
  unsigned retries = 0;
  bool isFailingFast = false;
  /// Skipped tests whose outcome is not the recorded one run twice more, and the delta is kept.
  bool isShadow = false;
};

/// The options that all commands have which run tests.
void addRunOptions(CLI::App &command, TestRunOptions &options);

/// A run that is over.
struct TestRunReport {
  ProjectPaths paths;
  SelectionReport selection;       ///< for the tree as it was built
  std::vector<TestResult> results; ///< of all tests, by (binary, name)
  std::vector<std::string> gone;   ///< ids of tests that were recorded and are not there any more
  std::size_t chosen = 0;          ///< tests that this run was about; more than ran if it was ended
  std::chrono::milliseconds selecting{0}, building{0}, testing{0};
  bool wasInterrupted = false;
  std::string delta;    ///< of a shadow run, as JSON; empty: no unit changed, or it is not known
  std::string baseline; ///< what was stored of it; empty: nothing
};

/// What `retest run` would do now, without building anything.
struct TestRunPlan {
  SelectionReport selection;
  std::vector<const ReportedTest *> tests; ///< in `selection`
  bool buildsAll = false;
  std::string whyAll;
  std::vector<std::string> targets;
};

llvm::Expected<std::unique_ptr<TestRunPlan>> planTestRun(const TestRunOptions &options,
                                                         Context &context);

/// Selects, builds what is needed, runs the tests and brings the store up to date.
///
/// The tree is selected from once more after it was built, since a build may make sources and files
/// that tests read. A test is left out only if that selection proves it unaffected: what the built
/// programs list beside the tests that were recorded runs, too. What CTest's fixtures and DEPENDS
/// ask for comes along.
///
/// If a test turns out to use something that was not built, everything is built, and it begins
/// again. From the first test on signals are deferred: what ran is kept, the rest stays selected,
/// and the caller ends the program when it has told so.
llvm::Expected<TestRunReport> runTests(const TestRunOptions &options,
                                       std::optional<DeferredSignals> &signals, Context &context);

} // namespace retest
