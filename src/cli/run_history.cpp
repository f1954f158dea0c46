#include "cli/run_history.h"

#include "db/history.h"
#include "report/run_text.h"
#include "support/git.h"

#include <fmt/chrono.h>

#include <ctime>
#include <map>
#include <set>

namespace retest {

namespace {

std::vector<std::pair<std::string, std::uint64_t>> rulesOf(const SelectionReport &selection) {
  std::map<std::string, std::uint64_t> rules;
  for (const ReportedTest &test : selection.tests) {
    if (!isSelected(test))
      continue;
    std::set<std::string> own;
    for (std::uint32_t index : test.reasons)
      own.insert(selection.reasons[index].rule);
    for (const std::string &rule : own)
      ++rules[rule];
  }
  return {rules.begin(), rules.end()};
}

} // namespace

HistoryEntry historyOf(const TestRunReport &report, const std::string &command) {
  HistoryEntry entry;
  entry.at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  entry.command = command;
  if (auto commit = gitCommit(report.paths.root, "HEAD"))
    entry.commit = *commit;
  entry.kind = wordFor(report.selection.kind).str();
  entry.reason = report.selection.reason;
  RunCounts counts = countResults(report.results);
  entry.total = counts.total;
  entry.ran = counts.ran;
  entry.failed = counts.failures();
  entry.selected =
      report.selection.knowsTests ? countSelected(report.selection) : std::size_t(counts.total);
  entry.selecting = report.selecting;
  std::map<std::string, std::chrono::microseconds> took; // in this run: a shadow run runs all
  for (const TestResult &result : report.results)
    for (const TestAttempt &attempt : result.attempts) {
      entry.ranTime += attempt.duration;
      took[idOf(result.test)] += attempt.duration;
    }
  for (const ReportedTest &test : report.selection.tests)
    if (test.verdict == Verdict::Skipped) {
      auto ran = took.find(idOf(test.test));
      entry.savedTime += ran == took.end() ? test.test.duration : ran->second;
    }
  entry.rules = rulesOf(report.selection);
  return entry;
}

void keepHistory(const TestRunReport &report, const HistoryEntry &entry, Context &context) {
  llvm::Expected<Store> store = Store::open(storePath(report.paths), OpenMode::Write);
  llvm::Error failed = store ? addHistory(*store, entry) : store.takeError();
  if (failed)
    context.detail(llvm::toString(std::move(failed)) + "; the run is not kept in the history");
}

} // namespace retest
