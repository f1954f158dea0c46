#include "cli/commands.h"
#include "cli/last_failed.h"
#include "cli/run_history.h"
#include "cli/test_run.h"
#include "report/run_text.h"
#include "report/selection_json.h"
#include "report/selection_text.h"
#include "report/text_cells.h"
#include "select/escapes.h"
#include "support/error.h"
#include "support/process.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>

#include <map>

namespace retest {

namespace {

struct ShadowOptions {
  TestRunOptions run;
  std::string directory; ///< for what is needed to look into an escape; empty: beside the store
};

/// What all tests say about the selection.
struct Shadow {
  std::vector<const TestResult *> caught, escaped, unstable;
};

Shadow judge(const TestRunReport &report) {
  std::map<TestKey, const ReportedTest *> known;
  for (const ReportedTest &test : report.selection.tests)
    known[keyOf(test.test)] = &test;
  Shadow shadow;
  for (const TestResult &result : report.results) {
    auto before = known.find(keyOf(result.test));
    if (before == known.end())
      continue;
    std::vector<TestStatus> now;
    for (const TestAttempt &attempt : result.attempts)
      now.push_back(attempt.status);
    switch (shadowVerdict(before->second->verdict, before->second->test.status, now)) {
    case ShadowVerdict::Caught:
      shadow.caught.push_back(&result);
      break;
    case ShadowVerdict::Escaped:
      shadow.escaped.push_back(&result);
      break;
    case ShadowVerdict::Unstable:
      shadow.unstable.push_back(&result);
      break;
    case ShadowVerdict::Unchanged:
    case ShadowVerdict::Unknown:
      break;
    }
  }
  return shadow;
}

llvm::Error writeFile(const std::string &path,
                      llvm::function_ref<void(llvm::raw_ostream &)> write) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &out) -> llvm::Error {
    write(out);
    return llvm::Error::success();
  });
}

/// What changed since the commit of the baseline, as git tells it.
std::string changeSince(const TestRunReport &report) {
  const std::string &commit = report.selection.baseline.commit;
  if (commit.empty())
    return "";
  llvm::Expected<ProcessResult> said =
      runProcess({.arguments = {"git", "-C", report.paths.root, "diff", "--binary", commit, "--"}});
  if (said)
    return said->output;
  llvm::consumeError(said.takeError());
  return "";
}

/// Everything that somebody needs to find out why.
llvm::Error writeEscapes(const std::string &directory, const TestRunReport &report,
                         const Shadow &shadow) {
  if (std::error_code failed = llvm::sys::fs::create_directories(directory))
    return error("{}: cannot be made: {}", directory, failed.message());
  llvm::Error failed = writeFile(directory + "/selection.json", [&](llvm::raw_ostream &out) {
    writeSelectionJson(out, report.selection);
  });
  auto add = [&](const char *name, llvm::function_ref<void(llvm::raw_ostream &)> write) {
    failed = llvm::joinErrors(std::move(failed), writeFile(directory + "/" + name, write));
  };
  if (!report.delta.empty())
    add("delta.json", [&](llvm::raw_ostream &out) { out << report.delta; });
  if (std::string change = changeSince(report); !change.empty())
    add("change.patch", [&](llvm::raw_ostream &out) { out << change; });
  add("results.xml",
      [&](llvm::raw_ostream &out) { writeJunit(out, report.results, /*reportsSkipped=*/true); });
  add("escaped.txt", [&](llvm::raw_ostream &out) {
    out << fmt::format("baseline {}, commit {}, recorded {}\n", report.selection.baseline.name,
                       report.selection.baseline.commit, report.selection.baseline.recordedAt);
    std::vector<TestResult> results;
    for (const TestResult *result : shadow.escaped) {
      results.push_back(*result);
      out << fmt::format("{}\n", oneLine(idOf(result->test)));
    }
    writeFailures(out, results, /*colour=*/false);
  });
  return failed;
}

void list(Context &context, const char *title, llvm::ArrayRef<const TestResult *> results) {
  if (results.empty())
    return;
  context.out << title << "\n";
  for (const TestResult *result : results)
    context.out << fmt::format("    {}: {}\n", oneLine(idOf(result->test)),
                               wordFor(outcomeOf(*result)).str());
}

llvm::Expected<ExitCode> runShadow(ShadowOptions &options, Context &context) {
  options.run.scope = RunScope::All;
  options.run.isShadow = true;
  std::optional<DeferredSignals> signals;
  llvm::Expected<TestRunReport> report = runTests(options.run, signals, context);
  if (!report)
    return report.takeError();
  context.info(selectionSummary(report->selection));
  Shadow shadow = judge(*report);
  writeFailures(context.out, report->results, context.out.colors_enabled());
  RunCounts counts = countResults(report->results);
  context.out << runSummary(counts, report->testing) << "\n";
  HistoryEntry entry = historyOf(*report, "shadow");
  entry.caught = shadow.caught.size();
  entry.escaped = shadow.escaped.size();
  double all = std::chrono::duration<double>(entry.ranTime).count();
  double saved = std::chrono::duration<double>(entry.savedTime).count();
  context.out << fmt::format(
      "selection: {} of {} tests; it would have saved {:.2f} s of {:.2f} s\n", entry.selected,
      entry.total, saved, all);
  if (report->selection.knowsTests)
    context.out << fmt::format("outcomes that changed: {} caught, {} escaped\n", entry.caught,
                               entry.escaped);
  else
    context.out << "outcomes that changed: not known, since none were recorded\n";
  list(context, "not the same each time, though nothing that they use changed:", shadow.unstable);
  list(context, "escaped: skipped, but the outcome is another one:", shadow.escaped);
  if (!shadow.escaped.empty()) {
    std::string directory = options.directory.empty()
                                ? stateDirectory(report->paths) + "/escaped-" + entry.at
                                : options.directory;
    if (llvm::Error failed = writeEscapes(directory, *report, shadow))
      context.warning(llvm::toString(std::move(failed)));
    else
      context.out << fmt::format("what is needed to look into it: {}\n", directory);
  }
  keepHistory(*report, entry, context);
  if (signals) {
    context.out.flush();
    signals->endIfCome();
  }
  if (!shadow.escaped.empty())
    return ExitCode::OutcomeMissed;
  return counts.failures() != 0 ? ExitCode::TestsFailed : ExitCode::Success;
}

} // namespace

void addShadowCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<ShadowOptions>();
  CLI::App *command = app.add_subcommand(
      "shadow", "Select, run all tests, and tell what selection would have missed");
  command
      ->add_option("--report", options->directory,
                   "Where to put what is needed to look into an escape")
      ->type_name("DIR");
  addRunOptions(*command, options->run);
  command->callback([options, &context] {
    context.action = [options, &context] { return runShadow(*options, context); };
  });
}

} // namespace retest
