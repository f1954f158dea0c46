#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tree.h"
#include "db/export.h"
#include "db/store_upkeep.h"
#include "report/graph_words.h"
#include "support/error.h"

#include <llvm/Support/JSON.h>

#include <cstdlib>

namespace retest {

namespace {

constexpr std::size_t kKept = 10;

struct DbOptions {
  TreeOptions tree;
  std::string store; ///< empty: that of the project
  bool isJson = false;
  std::size_t keep = kKept;
  bool isDryRun = false;
  std::vector<std::string> baselines;
  std::string output;
  std::string input;
  bool replaces = false;
};

llvm::Expected<Store> open(const DbOptions &options, OpenMode mode, Context &context) {
  if (!options.store.empty())
    return Store::open(options.store, mode);
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  return Store::open(storePath(*paths), mode);
}

std::string sizeOf(std::uint64_t bytes) {
  return bytes < (1 << 20) ? fmt::format("{} KiB", (bytes + 1023) / 1024)
                           : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

void writeText(llvm::raw_ostream &out, const StoreSummary &summary) {
  out << fmt::format("store      {}\n", utf8(summary.path));
  out << fmt::format("size       {}", sizeOf(summary.bytes));
  if (summary.freeBytes != 0)
    out << fmt::format(", {} of it free: 'retest db gc' gives it back", sizeOf(summary.freeBytes));
  out << fmt::format("\nversion    {} of the tables\n", summary.version);
  out << fmt::format("baselines  {}, newest first\n", summary.baselines.size());
  for (const BaselineSummary &baseline : summary.baselines) {
    out << fmt::format("\n{}\n  recorded  {}\n", utf8(baseline.info.name),
                       utf8(baseline.info.recordedAt));
    if (!baseline.info.commit.empty())
      out << fmt::format("  commit    {}\n", utf8(baseline.info.commit));
    out << fmt::format("  units     {}\n", baseline.units);
    if (baseline.hasCoverage)
      out << fmt::format("  tests     {}: {} measured, {} not; coverage {}\n", baseline.tests,
                         baseline.tests - baseline.unmeasured, baseline.unmeasured,
                         sizeOf(baseline.coverageBytes));
    else
      out << "  tests     none: of the graph alone\n";
  }
}

void writeJson(llvm::raw_ostream &out, const StoreSummary &summary) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("path", utf8(summary.path));
    json.attribute("bytes", static_cast<std::int64_t>(summary.bytes));
    json.attribute("free_bytes", static_cast<std::int64_t>(summary.freeBytes));
    json.attribute("tables_version", summary.version);
    json.attributeArray("baselines", [&] {
      for (const BaselineSummary &baseline : summary.baselines)
        json.object([&] {
          json.attribute("name", utf8(baseline.info.name));
          json.attribute("commit", utf8(baseline.info.commit));
          json.attribute("recorded_at", utf8(baseline.info.recordedAt));
          json.attribute("units", static_cast<std::int64_t>(baseline.units));
          json.attribute("has_tests", baseline.hasCoverage);
          json.attribute("measured",
                         static_cast<std::int64_t>(baseline.tests - baseline.unmeasured));
          json.attribute("unmeasured", static_cast<std::int64_t>(baseline.unmeasured));
          json.attribute("coverage_bytes", static_cast<std::int64_t>(baseline.coverageBytes));
        });
    });
  });
  out << "\n";
}

llvm::Expected<ExitCode> runInfo(const DbOptions &options, Context &context) {
  llvm::Expected<Store> store = open(options, OpenMode::Read, context);
  if (!store)
    return store.takeError();
  llvm::Expected<StoreSummary> summary = summarise(*store);
  if (!summary)
    return summary.takeError();
  options.isJson ? writeJson(context.out, *summary) : writeText(context.out, *summary);
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runCheck(const DbOptions &options, Context &context) {
  llvm::Expected<Store> store = open(options, OpenMode::Read, context);
  if (!store)
    return store.takeError();
  if (llvm::Error wrong = store->check())
    return wrong;
  llvm::Expected<std::vector<BaselineInfo>> baselines = store->listBaselines();
  if (!baselines)
    return baselines.takeError();
  context.out << fmt::format("{} {}, all whole\n", baselines->size(),
                             baselines->size() == 1 ? "baseline" : "baselines");
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runGc(const DbOptions &options, Context &context) {
  llvm::Expected<Store> store =
      open(options, options.isDryRun ? OpenMode::Read : OpenMode::Write, context);
  if (!store)
    return store.takeError();
  llvm::Expected<StoreSummary> before = summarise(*store);
  if (!before)
    return before.takeError();
  std::vector<BaselineInfo> known;
  for (const BaselineSummary &baseline : before->baselines)
    known.push_back(baseline.info);
  std::vector<std::string> names = baselinesToPrune(known, options.keep);
  if (!options.isDryRun && !names.empty())
    if (llvm::Error failed = removeBaselines(*store, names))
      return failed;
  for (const std::string &name : names)
    context.out << fmt::format("{} {}\n", options.isDryRun ? "would remove" : "removed",
                               utf8(name));
  if (options.isDryRun)
    return ExitCode::Success;
  if (llvm::Error failed = compact(*store))
    return failed;
  llvm::Expected<StoreSummary> after = summarise(*store);
  if (!after)
    return after.takeError();
  std::uint64_t freed = before->bytes > after->bytes ? before->bytes - after->bytes : 0;
  context.out << fmt::format("{} of {} baselines kept, {} freed, {} left\n",
                             after->baselines.size(), before->baselines.size(), sizeOf(freed),
                             sizeOf(after->bytes));
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runExport(const DbOptions &options, Context &context) {
  llvm::Expected<Store> store = open(options, OpenMode::Read, context);
  if (!store)
    return store.takeError();
  llvm::Expected<std::string> bytes = exportBaselines(*store, options.baselines);
  if (!bytes)
    return bytes.takeError();
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    out << *bytes;
    return llvm::Error::success();
  });
}

llvm::Expected<ExitCode> runImport(const DbOptions &options, Context &context) {
  llvm::Expected<Store> store = open(options, OpenMode::Write, context);
  if (!store)
    return store.takeError();
  llvm::Expected<std::vector<std::string>> names = importBaselines(
      *store, options.input, options.replaces ? ImportMode::Replace : ImportMode::AddOnly);
  if (!names)
    return names.takeError();
  for (const std::string &name : *names)
    context.out << fmt::format("imported {}\n", utf8(name));
  return ExitCode::Success;
}

} // namespace

void addDbCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<DbOptions>();
  CLI::App *command = app.add_subcommand("db", "Look after the store");
  command->require_subcommand(1);
  command->add_option("--store", options->store, "The store (default: that of the project)")
      ->type_name("FILE");
  addPlaceOptions(*command, options->tree);

  using Run = llvm::Expected<ExitCode> (*)(const DbOptions &, Context &);
  auto add = [&](const char *name, const char *help, Run run) {
    CLI::App *part = command->add_subcommand(name, help)->fallthrough();
    part->callback([options, &context, run] {
      context.action = [options, &context, run] { return run(*options, context); };
    });
    return part;
  };
  add("info", "Show what it holds", runInfo)->add_flag("--json", options->isJson, "Write JSON");
  add("check", "Read all of it and say whether it is whole", runCheck);
  CLI::App *gc = add("gc", "Remove old baselines and give space back", runGc);
  gc->add_option(
        "--keep", options->keep,
        fmt::format("Keep the N newest, and those recorded with --name (default: {})", kKept))
      ->type_name("N");
  gc->add_flag("-n,--dry-run", options->isDryRun, "Only say what would be removed");
  CLI::App *out = add("export", "Write baselines to one file", runExport);
  out->add_option("baselines", options->baselines, "The baselines (default: all)")
      ->type_name("NAME");
  out->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  CLI::App *in = add("import", "Add the baselines of a file", runImport);
  in->add_option("file", options->input, "What 'retest db export' wrote")
      ->type_name("FILE")
      ->required();
  in->add_flag("--force", options->replaces, "Replace baselines of the same name");
}

} // namespace retest
