#include "cli/commands.h"
#include "cli/delta_filter.h"
#include "cli/output.h"
#include "cli/project_version.h"
#include "diff/compare.h"
#include "diff/granularity.h"
#include "graph/extract_project.h"
#include "report/delta_dot.h"
#include "report/delta_json.h"
#include "report/delta_order.h"
#include "report/delta_text.h"
#include "support/error.h"

#include <unistd.h>

#include <chrono>

namespace retest {

namespace {

enum class DiffFormat { Text, Json, Dot, Svg };

struct DiffOptions {
  TreeOptions tree;
  std::string what; ///< a function or a file; empty: everything
  std::string base;
  std::string from, to, fromRoot, toRoot; ///< two build directories instead of a baseline
  std::string output;
  DiffFormat format = DiffFormat::Text;
  Granularity granularity = Granularity::Edges;

  bool isBetweenDirectories() const { return !from.empty(); }
};

/// Both versions, with one table of names.
struct Versions {
  ProjectVersion baseline, current;
  VersionLabel baselineLabel, currentLabel;

  /// "baseline v1 and the work tree", for titles.
  std::string title() const { return baselineLabel.name + " -> " + currentLabel.name; }
};

/// Fingerprints made by other rules differ everywhere, for no reason that the user has made.
llvm::Error checkEnvironment(const BaselineInfo &info, bool lineSensitive) {
  if (info.environment == describeExtraction(lineSensitive))
    return llvm::Error::success();
  if (info.environment == describeExtraction(!lineSensitive))
    return error(ErrorKind::Usage, "{}: recorded {} --line-sensitive; {}", info.name,
                 lineSensitive ? "without" : "with",
                 lineSensitive ? "leave it out here, or record the baseline again with it"
                               : "add it here, or record the baseline again without it");
  return error(ErrorKind::Store,
               "{}: recorded with {}, which cannot be compared with {}; check out the version it "
               "was recorded at and run 'retest record --graph-only' there again",
               info.name, info.environment, describeExtraction(lineSensitive));
}

llvm::Expected<Versions> loadSinceBaseline(const DiffOptions &options, Names &names,
                                           Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<ProjectVersion> baseline = loadBaselineVersion(*paths, options.base, names);
  if (!baseline)
    return baseline.takeError();
  if (llvm::Error other = checkEnvironment(baseline->info, options.tree.lineSensitive))
    return other;
  TreeOptions tree = options.tree; // what was found, so that it is not looked for again
  tree.build = paths->build;
  tree.root = paths->root;
  llvm::Expected<ProjectVersion> current = loadTreeVersion(tree, names, context);
  if (!current)
    return current.takeError();
  const BaselineInfo &info = baseline->info;
  VersionLabel label{info.name, info.commit, info.recordedAt};
  return Versions{
      std::move(*baseline), std::move(*current), std::move(label), {"work tree", "", ""}};
}

llvm::Expected<Versions> loadDirectories(const DiffOptions &options, Names &names,
                                         Context &context) {
  TreeOptions from = options.tree, to = options.tree;
  from.build = options.from;
  from.root = options.fromRoot;
  to.build = options.to;
  to.root = options.toRoot;
  llvm::Expected<ProjectVersion> baseline = loadTreeVersion(from, names, context);
  if (!baseline)
    return baseline.takeError();
  llvm::Expected<ProjectVersion> current = loadTreeVersion(to, names, context);
  if (!current)
    return current.takeError();
  return Versions{
      std::move(*baseline), std::move(*current), {options.from, "", ""}, {options.to, "", ""}};
}

/// The one line that says that nothing differs.
std::string sameText(const DiffOptions &options, const Versions &versions) {
  std::string where = options.what.empty() ? "" : " in " + options.what;
  if (options.isBetweenDirectories())
    return fmt::format("nothing differs{} between {} and {}", where, options.from, options.to);
  return fmt::format("nothing changed{} since baseline {}", where, versions.baselineLabel.name);
}

llvm::Error writeDelta(llvm::raw_ostream &out, const Versions &versions, const Names &names,
                       const Delta &delta, const DiffOptions &options, const Context &context) {
  DeltaView view{versions.baseline.project, versions.current.project, names,
                 versions.baseline.lines, versions.current.lines};
  switch (options.format) {
  case DiffFormat::Text:
    writeDeltaText(out, view, delta, options.granularity, sameText(options, versions),
                   {out.colors_enabled(), terminalWidth(STDOUT_FILENO), context.options.isVerbose});
    return llvm::Error::success();
  case DiffFormat::Json:
    writeDeltaJson(out, view, delta, options.granularity, versions.baselineLabel,
                   versions.currentLabel);
    return llvm::Error::success();
  case DiffFormat::Dot:
    writeDeltaDot(out, view, delta, versions.title(), {});
    return llvm::Error::success();
  case DiffFormat::Svg: {
    std::string dot;
    llvm::raw_string_ostream text(dot);
    writeDeltaDot(text, view, delta, versions.title(), {});
    return writeSvg(out, text.str());
  }
  }
  llvm_unreachable("all formats are written");
}

/// Options that contradict each other: say so, rather than ignore one.
llvm::Error checkOptions(const DiffOptions &options) {
  auto usage = [](const char *text) { return error(ErrorKind::Usage, "{}", text); };
  if (options.from.empty() != options.to.empty())
    return usage(options.to.empty()
                     ? "--from: needs --to DIR, the build directory of the current version"
                     : "--to: needs --from DIR, the build directory of the baseline");
  if (!options.isBetweenDirectories())
    return options.fromRoot.empty() && options.toRoot.empty()
               ? llvm::Error::success()
               : usage("--from-root, --to-root: only together with --from and --to");
  if (!options.base.empty())
    return usage("--base: not together with --from, which names the baseline's build directory");
  if (!options.tree.build.empty())
    return usage("-p: not together with --from and --to, which name both build directories");
  if (!options.tree.root.empty())
    return usage("--root: not together with --from and --to; use --from-root and --to-root");
  return llvm::Error::success();
}

/// With -v: what the comparison costs, apart from reading the code.
Delta timedCompare(const Project &baseline, const Project &current, const Names &names,
                   Context &context) {
  auto begin = std::chrono::steady_clock::now();
  Delta delta = compare(baseline, current, names);
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  context.detail(fmt::format("compared in {:.1f} ms", time.count()));
  return delta;
}

llvm::Expected<ExitCode> runDiff(const DiffOptions &options, Context &context) {
  if (llvm::Error wrong = checkOptions(options))
    return wrong;
  Names names;
  llvm::Expected<Versions> versions = options.isBetweenDirectories()
                                          ? loadDirectories(options, names, context)
                                          : loadSinceBaseline(options, names, context);
  if (!versions)
    return versions.takeError();
  const Project &baseline = versions->baseline.project, &current = versions->current.project;

  Delta delta = timedCompare(baseline, current, names, context);
  delta = coarsened(std::move(delta), baseline, current, names, options.granularity);
  if (!options.what.empty()) {
    llvm::Expected<Delta> part =
        restrictedTo(options.what, std::move(delta), versions->baseline, versions->current, names);
    if (!part)
      return part.takeError();
    delta = std::move(*part);
  }
  delta = inTextOrder(std::move(delta), baseline, current, names);
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    return writeDelta(out, *versions, names, delta, options, context);
  });
}

} // namespace

void addDiffCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App *command = app.add_subcommand(
      "diff", "Show the dangerous edges between a baseline and the tree, and why they are");
  command->add_option("what", options->what, "Only this function, or the functions of this file")
      ->type_name("FUNCTION|FILE");
  command->add_option("--base", options->base, "The baseline (default: the newest)")
      ->type_name("NAME|REF");
  command->add_option("--from", options->from, "Compare two build directories: from this one")
      ->type_name("DIR");
  command->add_option("--to", options->to, "... to this one")->type_name("DIR");
  command->add_option("--from-root", options->fromRoot, "The root of the project built in --from")
      ->type_name("DIR");
  command->add_option("--to-root", options->toRoot, "The root of the project built in --to")
      ->type_name("DIR");
  addChoice<DiffFormat>(*command, "-f,--format", options->format,
                        {{"text", DiffFormat::Text},
                         {"json", DiffFormat::Json},
                         {"dot", DiffFormat::Dot},
                         {"svg", DiffFormat::Svg}},
                        "The form of the result");
  addChoice<Granularity>(*command, "--granularity", options->granularity,
                         {{"edges", Granularity::Edges},
                          {"functions", Granularity::Functions},
                          {"files", Granularity::Files}},
                         "What counts as dangerous as a whole");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addTreeOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runDiff(*options, context); };
  });
}

} // namespace retest
