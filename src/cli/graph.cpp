#include "cli/baselines.h"
#include "cli/commands.h"
#include "cli/graph_selection.h"
#include "cli/source_lines.h"
#include "cli/tree.h"
#include "graph/link_program.h"
#include "report/graph_dot.h"
#include "report/graph_json.h"
#include "report/graph_stats.h"
#include "report/graph_text.h"
#include "support/error.h"
#include "support/process.h"

#include <llvm/Support/FileSystem.h>
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

struct LoadedProject {
  ProjectPaths paths;
  Names names;
  Project project;
  SourceLines lines;
};

llvm::Expected<LoadedProject> loadBaseline(const GraphOptions &options, Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<Store> store = openStore(*paths);
  if (!store)
    return store.takeError();
  llvm::Expected<std::string> name = findBaseline(*store, *paths, options.baseline);
  if (!name)
    return name.takeError();
  LoadedProject loaded;
  llvm::Expected<Baseline> baseline = store->loadBaseline(*name, loaded.names);
  if (!baseline)
    return baseline.takeError();
  std::vector<UnitGraph> graphs;
  FileContents contents;
  for (UnitRecord &unit : baseline->units) {
    graphs.push_back(std::move(unit.graph));
    for (const FileInput &input : unit.inputs)
      contents[input.path] = input.content;
  }
  loaded.paths = std::move(*paths);
  loaded.lines = sourceLinesOf(loaded.paths, std::move(contents));
  loaded.project = linkProject(std::move(graphs), baseline->plan, loaded.names);
  return loaded;
}

llvm::Expected<LoadedProject> loadTree(const GraphOptions &options, Context &context) {
  llvm::Expected<Tree> tree = openTree(options.tree, context);
  if (!tree)
    return tree.takeError();
  if (llvm::Error failed = readTree(*tree, options.tree, /*keepsGraphs=*/true, context))
    return failed;
  LoadedProject loaded;
  loaded.paths = tree->paths;
  llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, loaded.names);
  if (!graphs)
    return graphs.takeError();
  ProgramPlan plan = programPlan(*tree, loaded.names, context);
  loaded.project = linkProject(std::move(*graphs), plan, loaded.names);
  loaded.lines = sourceLinesOf(loaded.paths);
  return loaded;
}

llvm::Error writeSvg(llvm::raw_ostream &out, const std::string &dot) {
  if (!findProgram("dot"))
    return error("dot: not found; install graphviz, or use --format dot");
  llvm::Expected<ProcessResult> picture = runProcess({.arguments = {"dot", "-Tsvg"}, .input = dot});
  if (!picture)
    return picture.takeError();
  if (!picture->succeeded())
    return error("dot: {}", picture->errors);
  out << picture->output;
  return llvm::Error::success();
}

llvm::Error writeGraph(llvm::raw_ostream &out, LoadedProject &loaded, const GraphOptions &options) {
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
      selectFunctions(loaded.project, loaded.paths, loaded.names, {options.what, options.program});
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
    writeGraphJson(out, loaded.project, loaded.names, json);
    return llvm::Error::success();
  }
  if (options.format == GraphFormat::Text) {
    TextStyle style;
    style.colour = out.colors_enabled();
    for (const ProgramFunctions &part : *selected) {
      GraphView view(loaded.project, *part.program, loaded.names, loaded.lines);
      if (options.showsAll)
        writeProgramText(out, view, style);
      writeFunctionsText(out, view, part.functions, style);
    }
    return llvm::Error::success();
  }
  std::string dot;
  llvm::raw_string_ostream text(dot);
  GraphView view(loaded.project, *selected->front().program, loaded.names, loaded.lines);
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

llvm::Error writeFile(const std::string &path, llvm::StringRef content) {
  std::error_code failed;
  llvm::raw_fd_ostream file(path, failed);
  if (!failed) {
    file << content;
    file.close();
    failed = file.error();
    file.clear_error(); // reported here; the stream would end the program
  }
  if (failed)
    return error("{}: cannot be written: {}; choose another place with -o FILE", path,
                 failed.message());
  return llvm::Error::success();
}

llvm::Expected<ExitCode> runGraph(const GraphOptions &options, Context &context) {
  if (llvm::Error wrong = checkOptions(options))
    return wrong;
  llvm::Expected<LoadedProject> loaded =
      options.baseline.empty() ? loadTree(options, context) : loadBaseline(options, context);
  if (!loaded)
    return loaded.takeError();
  if (options.output.empty() || options.output == "-") {
    if (llvm::Error failed = writeGraph(context.out, *loaded, options))
      return failed;
    return ExitCode::Success;
  }
  std::string content;
  llvm::raw_string_ostream out(content);
  if (llvm::Error failed = writeGraph(out, *loaded, options))
    return failed;
  if (llvm::Error failed = writeFile(options.output, out.str()))
    return failed;
  return ExitCode::Success;
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
