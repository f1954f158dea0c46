#include "cli/test_runner.h"

#include "cli/build_project.h"
#include "cli/environment.h"
#include "select/carry_skipped.h"
#include "support/error.h"

namespace retest {

/// What was parsed, built and run must be one version.
llvm::Error TestRunner::checkVersion() {
  bool isNothingBuilt = !built_->isAll && built_->names.empty();
  const unsigned jobs = options_.selection.tree.jobs;
  if (!options_.skipsBuild && !isNothingBuilt)
    if (llvm::Error failed = buildProject(
            paths_, jobs, context_, built_->isAll ? std::vector<std::string>() : built_->names))
      return failed;
  if (!options_.skipsBuild && built_->isAll)
    if (llvm::Error failed = buildOthers(paths_, project_->tree.links.get(), jobs, context_))
      return failed;
  if (std::string changed = binaries_.changed(); !changed.empty())
    return error("{}: changed while its tests ran, or each build makes another one", changed);
  return llvm::Error::success();
}

/// What is known of the tests that did not run: of skipped ones what they did before, in terms of
/// this version; the others stay selected until they are measured.
llvm::Error TestRunner::addOthers() {
  if (!basis_.isComplete) {
    for (const auto &[test, why] : left_)
      suite_->recorded(test).unmeasured = fmt::format("it did not run: {}", why);
    return llvm::Error::success();
  }
  llvm::Expected<CoverageMatrix> before = basis_.coverage->whole();
  if (!before)
    return before.takeError();
  return carrySkipped({*before, basis_.selection.tests, basis_.baseline, project_->project,
                       project_->names, basis_.delta, suite_->stale},
                      suite_->hasRun(), suite_->recorded(), suite_->collector());
}

/// Moves the baseline to this version (DESIGN 3.6): fresh rows for what ran, the others as above.
/// Not after one shard: the next one on the same store would divide what is left, and some tests
/// would be in no shard.
llvm::Error TestRunner::updateStore() {
  if (!suite_)
    return llvm::Error::success(); // nothing has changed
  if (options_.shard) {
    context_.info("the baseline stays, so that other shards divide the same tests");
    return llvm::Error::success();
  }
  if (!suite_->usedStale().empty())
    return error("{}, which was not built", suite_->usedStale());
  if (!suite_->usedReports().empty()) // it was interrupted
    return error("{}: a test uses it, and the program that writes it ran test by test",
                 *suite_->usedReports().begin());
  if (llvm::Error failed = checkVersion())
    return failed;
  if (llvm::Error failed = addOthers())
    return failed;
  llvm::Expected<std::vector<EnvironmentPart>> environment =
      basis_.isComplete ? basis_.coverage->environment() : std::vector<EnvironmentPart>();
  if (!environment)
    return environment.takeError();
  CoverageMatrix matrix = suite_->finish().matrix;
  matrix.environment =
      environmentOf(project_->tree, basis_.isComplete ? &*environment : nullptr, &suite_->stale);
  project_->tree.cache.saveFileStates(project_->tree.states);
  BaselineInfo info = *info_; // of the time when the tree was read
  basis_ = {};                // who reads the store does not keep it from being written
  if (llvm::Error failed =
          saveBaseline(info, project_->tree, project_->plan, project_->names, &matrix))
    return failed;
  report_.baseline = info.name;
  return llvm::Error::success();
}

/// For --last-failed: who failed now, and who did before and has not run since.
void TestRunner::keepFailures() const {
  std::set<TestKey> failed;
  if (auto kept = loadLastFailed(paths_))
    failed = *kept;
  else
    for (const ReportedTest &test : selection_.tests)
      if (test.verdict != Verdict::New && isFailure(test.test.status))
        failed.insert(keyOf(test.test));
  std::set<TestKey> there;
  for (const TestResult &result : report_.results) {
    there.insert(keyOf(result.test));
    if (result.attempts.empty())
      continue;
    if (isFailure(outcomeOf(result)))
      failed.insert(keyOf(result.test));
    else
      failed.erase(keyOf(result.test));
  }
  std::erase_if(failed, [&](const TestKey &key) { return !there.count(key); });
  saveLastFailed(paths_, failed);
}

} // namespace retest
