#include "cli/commands.h"
#include "cli/source_lines.h"
#include "cli/tree.h"
#include "db/store.h"
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
};

llvm::Expected<LoadedProject> loadProject(const GraphOptions &options, Context &context) {
  llvm::Expected<Tree> tree = openTree(options.tree, context);
  if (!tree)
    return tree.takeError();
  LoadedProject loaded;
  loaded.paths = tree->paths;
  if (!options.baseline.empty()) {
    llvm::Expected<Store> store = Store::open(storePath(tree->paths), OpenMode::Read);
    if (!store)
      return store.takeError();
    llvm::Expected<Baseline> baseline = store->loadBaseline(options.baseline, loaded.names);
    if (!baseline)
      return baseline.takeError();
    std::vector<UnitGraph> graphs;
    for (UnitRecord &unit : baseline->units)
      graphs.push_back(std::move(unit.graph));
    loaded.project = linkProject(std::move(graphs), baseline->plan, loaded.names);
    return loaded;
  }
  if (llvm::Error failed = readTree(*tree, options.tree, /*keepsGraphs=*/true, context))
    return failed;
  llvm::Expected<std::vector<UnitGraph>> graphs = loadGraphs(*tree, loaded.names);
  if (!graphs)
    return graphs.takeError();
  ProgramPlan plan = programPlan(*tree, loaded.names, context);
  loaded.project = linkProject(std::move(*graphs), plan, loaded.names);
  return loaded;
}

/// The functions that the arguments ask for, sorted by id.
llvm::Expected<std::vector<FunctionId>> wantedFunctions(const LoadedProject &loaded,
                                                        const GraphOptions &options) {
  std::vector<FunctionId> functions;
  if (options.showsAll) {
    for (std::uint32_t i = 0; i < loaded.project.functions.size(); ++i)
      functions.push_back({i});
    return functions;
  }
  functions = functionsNamed(loaded.project, options.what, loaded.names);
  if (functions.empty())
    functions = functionsInFile(loaded.project, options.what, loaded.names);
  if (functions.empty())
    return error(ErrorKind::Usage,
                 "{}: no function and no file of the project has this name; 'retest graph --all' "
                 "lists everything",
                 options.what);
  std::sort(functions.begin(), functions.end());
  return functions;
}

/// The program to look at: the one asked for, else the first executable with these functions.
llvm::Expected<const ProgramGraph *> chosenProgram(const LoadedProject &loaded,
                                                   const GraphOptions &options,
                                                   llvm::ArrayRef<FunctionId> functions) {
  const ProgramGraph *best = nullptr;
  for (const ProgramGraph &program : loaded.project.programs) {
    llvm::StringRef name = loaded.names.text(program.name);
    if (!options.program.empty()) {
      if (name == options.program || name.ends_with("/" + options.program))
        return &program;
      continue;
    }
    std::vector<FunctionId> inside = functionsOf(loaded.project, program);
    bool hasAll = std::includes(inside.begin(), inside.end(), functions.begin(), functions.end());
    bool isBetter = !best || (hasAll && best->kind != ProgramKind::Executable &&
                              program.kind == ProgramKind::Executable);
    if (hasAll && isBetter)
      best = &program;
  }
  if (best)
    return best;
  std::vector<std::string> known;
  for (const ProgramGraph &program : loaded.project.programs)
    known.push_back(loaded.names.text(program.name).str());
  if (!options.program.empty())
    return error(ErrorKind::Usage, "{}: no such program; there are {}", options.program,
                 fmt::join(known, ", "));
  if (known.empty())
    return error("the build links no program");
  return &loaded.project.programs.front(); // functions of several programs: see them from one
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
  llvm::Expected<std::vector<FunctionId>> functions = wantedFunctions(loaded, options);
  if (!functions)
    return functions.takeError();
  if (options.format == GraphFormat::Json) {
    GraphJsonOptions json;
    if (!options.showsAll)
      json.functions = *functions;
    writeGraphJson(out, loaded.project, loaded.names, json);
    return llvm::Error::success();
  }

  llvm::Expected<const ProgramGraph *> program = chosenProgram(loaded, options, *functions);
  if (!program)
    return program.takeError();
  GraphView view(loaded.project, **program, loaded.names, sourceLinesOf(loaded.paths));
  if (options.format == GraphFormat::Text) {
    TextStyle style;
    style.colour = out.has_colors() && out.colors_enabled();
    if (options.showsAll)
      writeProgramText(out, view, style);
    writeFunctionsText(out, view, *functions, style);
    return llvm::Error::success();
  }
  std::string dot;
  llvm::raw_string_ostream text(dot);
  if (functions->size() == 1)
    writeFunctionDot(text, view, functions->front(), {});
  else
    writeProgramDot(text, view, *functions, {});
  if (options.format == GraphFormat::Svg)
    return writeSvg(out, text.str());
  out << text.str();
  return llvm::Error::success();
}

llvm::Expected<ExitCode> runGraph(const GraphOptions &options, Context &context) {
  if (options.what.empty() && !options.showsAll && !options.showsStats)
    return error(ErrorKind::Usage,
                 "graph: name a function or a file, or use --all or --stats; see 'retest graph "
                 "--help'");
  llvm::Expected<LoadedProject> loaded = loadProject(options, context);
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
  std::error_code failed;
  llvm::raw_fd_ostream file(options.output, failed);
  if (!failed) {
    file << out.str();
    file.close();
    failed = file.error();
  }
  if (failed)
    return error("{}: {}", options.output, failed.message());
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
      ->type_name("NAME");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addTreeOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runGraph(*options, context); };
  });
}

} // namespace retest
