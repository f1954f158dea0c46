#include "cli/commands.h"
#include "cli/graph_selection.h"
#include "cli/output.h"
#include "cli/project_version.h"
#include "report/graph_dot.h"
#include "report/graph_json.h"
#include "report/graph_stats.h"
#include "report/graph_text.h"
#include "support/error.h"

#include <llvm/Support/JSON.h>

namespace retest {

namespace {

enum class GraphFormat { Text, Json, Dot, Svg };

struct GraphOptions {
  TreeOptions tree;
  std::string what; ///< a function or a file
  bool showsAll = false;
  bool showsStats = false;
  std::string program;
  std::string baseline;
  std::string output;
  GraphFormat format = GraphFormat::Text;
};

llvm::Expected<ProjectVersion> load(const GraphOptions &options, Names &names, Context &context) {
  if (options.baseline.empty())
    return loadTreeVersion(options.tree, names, context);
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  return loadBaselineVersion(*paths, options.baseline, names);
}

llvm::Error writeGraph(llvm::raw_ostream &out, const ProjectVersion &loaded, const Names &names,
                       const GraphOptions &options) {
  if (options.showsStats) {
    GraphStats stats = statsOf(loaded.project);
    if (options.format == GraphFormat::Json) {
      llvm::json::OStream json(out, 2);
      writeStatsJson(json, stats);
      out << "\n";
    } else {
      writeStatsText(out, stats);
    }
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<ProgramFunctions>> selected =
      selectFunctions(loaded.project, loaded.paths, names, {options.what, options.program});
  if (!selected)
    return selected.takeError();
  std::vector<FunctionId> functions;
  for (const ProgramFunctions &part : *selected)
    llvm::append_range(functions, part.functions);
  llvm::sort(functions);
  if (options.format == GraphFormat::Json) {
    GraphJsonOptions json;
    if (!options.showsAll || !options.program.empty())
      json.functions = functions;
    writeGraphJson(out, loaded.project, names, json);
    return llvm::Error::success();
  }
  if (options.format == GraphFormat::Text) {
    TextStyle style;
    style.colour = out.colors_enabled();
    for (const ProgramFunctions &part : *selected) {
      GraphView view(loaded.project, *part.program, names, loaded.lines);
      if (options.showsAll)
        writeProgramText(out, view, style);
      writeFunctionsText(out, view, part.functions, style);
    }
    return llvm::Error::success();
  }
  std::string dot;
  llvm::raw_string_ostream text(dot);
  GraphView view(loaded.project, *selected->front().program, names, loaded.lines);
  if (functions.size() == 1)
    writeFunctionDot(text, view, functions.front(), {});
  else
    writeProgramDot(text, view, functions, {});
  if (options.format == GraphFormat::Svg)
    return writeSvg(out, text.str());
  out << text.str();
  return llvm::Error::success();
}

/// Options that contradict each other: say so, rather than ignore one.
llvm::Error checkOptions(const GraphOptions &options) {
  if (options.what.empty() && !options.showsAll && !options.showsStats)
    return error(ErrorKind::Usage,
                 "graph: name a function or a file, or use --all or --stats; see 'retest graph "
                 "--help'");
  if (!options.what.empty() && (options.showsAll || options.showsStats))
    return error(ErrorKind::Usage, "{}: not together with {}, which is about the whole project",
                 options.what, options.showsAll ? "--all" : "--stats");
  if (options.showsStats &&
      (options.format == GraphFormat::Dot || options.format == GraphFormat::Svg))
    return error(ErrorKind::Usage, "--stats: there is no picture of it; use text or json");
  return llvm::Error::success();
}

llvm::Expected<ExitCode> runGraph(const GraphOptions &options, Context &context) {
  if (llvm::Error wrong = checkOptions(options))
    return wrong;
  Names names;
  llvm::Expected<ProjectVersion> loaded = load(options, names, context);
  if (!loaded)
    return loaded.takeError();
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    return writeGraph(out, *loaded, names, options);
  });
}

} // namespace

void addGraphCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App *command =
      app.add_subcommand("graph", "Show the program graph of a function, a file or a program");
  command->add_option("what", options->what, "A function or a file of the project")
      ->type_name("FUNCTION|FILE");
  command->add_flag("--all", options->showsAll, "Show everything");
  command->add_flag("--stats", options->showsStats, "Show counts instead of the graph");
  addChoice<GraphFormat>(*command, "-f,--format", options->format,
                         {{"text", GraphFormat::Text},
                          {"json", GraphFormat::Json},
                          {"dot", GraphFormat::Dot},
                          {"svg", GraphFormat::Svg}},
                         "The form of the result");
  command
      ->add_option("--program", options->program,
                   "See calls as in this program (default: the first that has the functions)")
      ->type_name("NAME");
  command->add_option("--baseline", options->baseline, "Show a recorded baseline")
      ->type_name("NAME|REF");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addTreeOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runGraph(*options, context); };
  });
}

} // namespace retest
