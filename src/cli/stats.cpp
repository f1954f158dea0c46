#include "cli/baselines.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tree.h"
#include "db/history.h"
#include "report/run_statistics.h"
#include "support/error.h"

namespace retest {

namespace {

struct StatsOptions {
  TreeOptions tree;
  bool isJson = false;
  std::string output;
};

llvm::Expected<ExitCode> runStats(const StatsOptions &options, Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<Store> store = openStore(*paths);
  if (!store)
    return store.takeError();
  llvm::Expected<std::vector<HistoryEntry>> history = loadHistory(*store);
  if (!history)
    return history.takeError();
  if (history->empty())
    context.info("nothing is known yet; 'retest run' and 'retest shadow' add to it");
  RunStatistics statistics = statisticsOf(*history);
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    if (options.isJson)
      writeStatisticsJson(out, statistics);
    else
      writeStatisticsText(out, statistics);
    return llvm::Error::success();
  });
}

} // namespace

void addStatsCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App *command =
      app.add_subcommand("stats", "Tell what selection saved, and why tests were selected");
  command->add_flag("--json", options->isJson, "Write JSON");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addPlaceOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runStats(*options, context); };
  });
}

} // namespace retest
