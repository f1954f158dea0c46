#include "cli/test_run.h"

#include "cli/test_runner.h"
#include "run/suite_directory.h"
#include "support/error.h"

#include <fmt/format.h>

namespace retest {

/// What came of every test.
void TestRunner::addResults() {
  std::map<TestKey, TestResult> results;
  if (suite_)
    for (const RecordedTest &test : suite_->recorded())
      results[keyOf(test)] = {test, {}, kNotAffected};
  else
    for (const ReportedTest &test : selection_.tests)
      results[keyOf(test.test)] = {test.test, {}, kNotAffected};
  if (suite_)
    for (std::size_t i = 0; i < suite_->tests().size(); ++i) {
      TestResult &result = results[keyOf(suite_->recorded(i))];
      if (auto attempts = attempts_.find(i); attempts != attempts_.end())
        result.attempts = attempts->second;
      else if (auto why = left_.find(i); why != left_.end())
        result.whyNot = why->second;
    }
  for (const auto &[key, known] : known_)
    if (!results.count(key))
      report_.gone.push_back(idOf(known->test));
  llvm::sort(report_.gone);
  for (auto &[key, result] : results) {
    result.isQuarantined = quarantined_.count(key) != 0;
    report_.results.push_back(std::move(result));
  }
}

llvm::Expected<TestRunReport> TestRunner::run() {
  llvm::Expected<ProjectPaths> paths = locateProject(options_.selection.tree, context_);
  if (!paths)
    return paths.takeError();
  paths_ = std::move(*paths);
  createStateDirectory(stateDirectory(paths_));
  llvm::Expected<RecordLock> lock = RecordLock::take(paths_);
  if (!lock)
    return lock.takeError();
  unsigned jobs = std::max(options_.selection.tree.jobs, 1u);
  if (unsigned removed = removeAbandoned(suitePlaces(stateDirectory(paths_), jobs)))
    context_.detail(fmt::format("removed what {} killed runs left behind", removed));
  for (;;) {
    if (llvm::Error failed = prepare())
      return failed;
    if (!suite_)
      break; // nothing to run
    applyShard();
    report_.chosen = chosen_.size();
    applyBudget();
    auto begin = RunClock::now();
    signals_.emplace();
    if (llvm::Error failed = runChosen())
      return failed;
    if (options_.isShadow)
      if (llvm::Error failed = repeatEscapes())
        return failed;
    report_.testing = since(begin);
    if ((suite_->usedStale().empty() && suite_->usedReports().empty()) || isCancelled())
      break;
    signals_.reset();
    std::size_t before = usedReports_.size();
    usedReports_.insert(suite_->usedReports().begin(), suite_->usedReports().end());
    if (suite_->usedStale().empty() && usedReports_.size() == before)
      return error("{}: it is not known which test writes it", *usedReports_.begin());
    if (!suite_->usedStale().empty()) {
      whyAll_ = suite_->usedStale();
      context_.info(whyAll_ + ", which was not built: everything is built");
    } else {
      whyAll_ = fmt::format("a test uses {}", *usedReports_.begin());
      context_.info(whyAll_ + ", which a program writes that ran test by test: it begins again");
    }
    buildsAll_ = true; // also who writes the report
    attempts_.clear();
    lastRound_.clear();
    suite_.reset();
  }
  report_.wasInterrupted = isCancelled();
  addResults();
  keepFailures();
  if (llvm::Error failed = updateStore())
    context_.warning(llvm::toString(std::move(failed)) + "; the store stays as it was");
  report_.paths = paths_;
  report_.selection = std::move(selection_);
  return std::move(report_);
}

llvm::Expected<std::unique_ptr<TestRunPlan>> TestRunner::plan() {
  llvm::Expected<ProjectPaths> paths = locateProject(options_.selection.tree, context_);
  if (!paths)
    return paths.takeError();
  paths_ = std::move(*paths);
  if (llvm::Error failed = select(/*readsAllUnits=*/false))
    return failed;
  auto plan = std::make_unique<TestRunPlan>();
  TargetPlan needed = targets();
  plan->buildsAll = needed.isAll;
  plan->whyAll = needed.why;
  plan->targets = needed.names;
  std::set<TestKey> keys = keysToRun();
  plan->selection = std::move(selection_);
  for (const ReportedTest &test : plan->selection.tests)
    if (keys.count(keyOf(test.test)))
      plan->tests.push_back(&test);
  return plan;
}

llvm::Expected<std::unique_ptr<TestRunPlan>> planTestRun(const TestRunOptions &options,
                                                         Context &context) {
  std::optional<DeferredSignals> none;
  return TestRunner(options, none, context).plan();
}

llvm::Expected<TestRunReport> runTests(const TestRunOptions &options,
                                       std::optional<DeferredSignals> &signals, Context &context) {
  return TestRunner(options, signals, context).run();
}

} // namespace retest
