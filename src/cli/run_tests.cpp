#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/run_history.h"
#include "cli/test_run.h"
#include "report/run_text.h"
#include "report/selection_text.h"
#include "report/text_cells.h"
#include "support/error.h"

#include <fmt/ranges.h>

namespace retest {

namespace {

enum class NoTests { Fail, Pass };

struct RunTestsOptions {
  TestRunOptions run;
  bool isAll = false, isLastFailed = false;
  bool isDry = false;
  std::string budget, shard, timeout, junit;
  bool reportsSkipped = false;
  NoTests noTests = NoTests::Fail;
};

llvm::Error readArguments(RunTestsOptions &options) {
  if (options.isAll && options.isLastFailed)
    return error(ErrorKind::Usage, "--all and --last-failed: only one of them can be had");
  options.run.scope = options.isAll          ? RunScope::All
                      : options.isLastFailed ? RunScope::LastFailed
                                             : RunScope::Selected;
  if (!options.budget.empty()) {
    auto budget = parseDuration("--budget", options.budget);
    if (!budget)
      return budget.takeError();
    options.run.budget = *budget;
  }
  if (!options.timeout.empty()) {
    auto timeout = parseDuration("--timeout", options.timeout);
    if (!timeout)
      return timeout.takeError();
    options.run.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(*timeout);
  }
  if (!options.shard.empty()) {
    auto shard = parseShard(options.shard);
    if (!shard)
      return shard.takeError();
    options.run.shard = *shard;
  }
  if (options.reportsSkipped && options.junit.empty())
    return error(ErrorKind::Usage, "--report-skipped: is about --junit FILE, which is missing");
  return llvm::Error::success();
}

llvm::Expected<ExitCode> showPlan(const RunTestsOptions &options, Context &context) {
  if (options.run.budget || options.run.shard)
    return error(ErrorKind::Usage,
                 "--dry-run: which tests are in a shard, or fit into a budget, is known only once "
                 "the built programs have listed them");
  auto plan = planTestRun(options.run, context);
  if (!plan)
    return plan.takeError();
  context.info(selectionSummary((*plan)->selection));
  if ((*plan)->buildsAll)
    context.info("would build everything" +
                 ((*plan)->whyAll.empty() ? "" : ": " + (*plan)->whyAll));
  else if ((*plan)->targets.empty())
    context.info("would build nothing");
  else
    context.info(fmt::format("would build {}", fmt::join((*plan)->targets, " ")));
  for (const ReportedTest *test : (*plan)->tests)
    context.out << oneLine(idOf(test->test)) << "\n";
  return ExitCode::Success;
}

void tellLeft(const TestRunReport &report, Context &context) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> left;
  for (const TestResult &result : report.results)
    if (result.attempts.empty() && result.test.status != TestStatus::Disabled &&
        (result.whyNot == "left by the budget" || result.whyNot == "interrupted" ||
         result.whyNot == "not begun after a failure"))
      left.push_back(fmt::format("{}: {}", oneLine(idOf(result.test)), result.whyNot));
  if (left.empty())
    return;
  context.out << fmt::format("left; what is affected of them is selected again next time: {}\n",
                             left.size());
  std::size_t shown = context.options.isVerbose ? left.size() : std::min(left.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i)
    context.out << "    " << left[i] << "\n";
  if (shown < left.size())
    context.out << fmt::format("    and {} more (-v shows all)\n", left.size() - shown);
}

ExitCode exitCodeOf(const TestRunReport &report, const RunCounts &counts,
                    const RunTestsOptions &options) {
  if (counts.failures() != 0)
    return ExitCode::TestsFailed;
  // A shard may be empty, and what failed last time may be gone: nothing was to be run then.
  if (counts.ran == 0 && report.chosen != 0 && options.noTests == NoTests::Fail)
    return ExitCode::NothingRun;
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runRun(RunTestsOptions &options, Context &context) {
  if (llvm::Error wrong = readArguments(options))
    return wrong;
  if (options.isDry)
    return showPlan(options, context);
  std::optional<DeferredSignals> signals;
  llvm::Expected<TestRunReport> report = runTests(options.run, signals, context);
  if (!report)
    return report.takeError();
  context.info(selectionSummary(report->selection));
  writeFailures(context.out, report->results, context.out.colors_enabled());
  RunCounts counts = countResults(report->results);
  context.out << runSummary(counts, report->testing) << "\n";
  for (const TestResult &result : report->results)
    if (isFlaky(result))
      context.out << fmt::format("flaky: {}\n", oneLine(idOf(result.test)));
  tellLeft(*report, context);
  if (!report->gone.empty())
    context.info(fmt::format("no longer there: {}", fmt::join(report->gone, ", ")));
  if (!report->baseline.empty())
    context.info("recorded as baseline " + report->baseline);
  if (!options.junit.empty()) {
    llvm::Expected<ExitCode> written =
        writeResult(options.junit, context, [&](llvm::raw_ostream &out) {
          writeJunit(out, report->results, options.reportsSkipped);
          return llvm::Error::success();
        });
    if (!written)
      return written;
  }
  keepHistory(*report, historyOf(*report, "run"), context);
  if (signals) {
    context.out.flush();
    signals->endIfCome();
  }
  return exitCodeOf(*report, counts, options);
}

} // namespace

void addRunOptions(CLI::App &command, TestRunOptions &options) {
  command
      .add_option("--base", options.selection.base,
                  "The baseline, or a commit (default: the newest in the history of HEAD)")
      ->type_name("NAME|REF");
  command.add_flag("--no-build", options.skipsBuild, "Take the build directory as it is");
  command.add_flag("--no-fork", options.skipsForking,
                   "Start a process for each test, never fork one");
  command.add_flag("--parallel-cases", options.parallelCases,
                   "With -j: also tests of one program at the same time");
  addTreeOptions(command, options.selection.tree);
}

void addRunCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<RunTestsOptions>();
  CLI::App *command =
      app.add_subcommand("run", "Build and run the tests that the tree as it is asks for");
  command->add_flag("--all", options->isAll, "Run all tests");
  command->add_flag("--last-failed", options->isLastFailed,
                    "Run the tests that did not pass when they ran last");
  command
      ->add_option("--budget", options->budget,
                   "Run what fits into TIME, the likeliest to fail first")
      ->type_name("TIME");
  command->add_option("--shard", options->shard, "Run part I of N, divided by recorded time")
      ->type_name("I/N");
  command->add_option("--timeout", options->timeout, "End a test after TIME")->type_name("TIME");
  command->add_option("--retries", options->run.retries, "Run a test that fails up to N times more")
      ->type_name("N");
  command->add_flag("--fail-fast", options->run.isFailingFast,
                    "Begin no further test after a failure");
  addChoice<NoTests>(*command, "--no-tests", options->noTests,
                     {{"fail", NoTests::Fail}, {"pass", NoTests::Pass}},
                     "What it means if nothing ran although something was selected");
  command->add_flag("-n,--dry-run", options->isDry, "Tell what would be built and run");
  command->add_option("--junit", options->junit, "Write the results to FILE as JUnit XML")
      ->type_name("FILE");
  command->add_flag("--report-skipped", options->reportsSkipped,
                    "Have tests that did not run in the JUnit file");
  addRunOptions(*command, options->run);
  command->callback([options, &context] {
    context.action = [options, &context] { return runRun(*options, context); };
  });
}

} // namespace retest
