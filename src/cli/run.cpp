#include "cli/run.h"

#include "cli/commands.h"
#include "support/error.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <sstream>

namespace retest {

namespace {

void addGlobalOptions(CLI::App &app, GlobalOptions &options) {
  app.add_option("-C", options.directory, "Change to DIR before doing anything")->type_name("DIR");
  addChoice<ColorMode>(
      app, "--color", options.color,
      {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
      "Whether to use colours");
  addChoice<ProgressMode>(app, "--progress", options.progress,
                          {{"auto", ProgressMode::Auto},
                           {"bar", ProgressMode::Bar},
                           {"counter", ProgressMode::Counter},
                           {"none", ProgressMode::None}},
                          "How to show progress");
  app.add_option("--profile", options.profile, "The profile of retest.toml that is in force")
      ->type_name("NAME");
  app.add_flag("-q,--quiet", options.isQuiet, "Say nothing but warnings and errors");
  app.add_flag("-v,--verbose", options.isVerbose, "Say more");
}

/// The commands, in the order of `retest --help`.
void addCommands(CLI::App &app, Context &context) {
  addInitCommand(app, context);
  addRecordCommand(app, context);
  addSelectCommand(app, context);
  addRunCommand(app, context);
  addShadowCommand(app, context);
  addStatsCommand(app, context);
  addExplainCommand(app, context);
  addDiffCommand(app, context);
  addGraphCommand(app, context);
  addVerifyCommand(app, context);
  addWhoCommand(app, context);
  addDbCommand(app, context);
  addHelpCommand(app, context);

  for (CLI::App *command : app.get_subcommands([](CLI::App *) { return true; }))
    command->group("Commands")
        ->fallthrough()
        ->footer("'retest --help' lists the options that every command has.");
}

/// `retest graph`: what the user typed so far.
std::string spelled(const CLI::App &app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "retest" : "retest " + chosen.front()->get_name();
}

/// " (did you mean 'graph'?)" if a command's name is close to the word.
std::string suggestion(const CLI::App &app, llvm::StringRef word) {
  constexpr unsigned kClose = 2;
  std::string best;
  unsigned bestDistance = kClose + 1;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
    const unsigned distance = word.edit_distance(command->get_name(), true, kClose);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = command->get_name();
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

/// What is wrong with the arguments: the thing first, and the way out.
llvm::Error usageError(const CLI::App &app, const CLI::ParseError &problem) {
  const std::string command = spelled(app);
  const std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  if (extras.empty()) // an option is missing, has no value or a wrong one: CLI11 names it
    return error(ErrorKind::Usage, "{}; see '{} --help'", problem.what(), command);
  const std::string &extra = extras.front();
  if (extra.size() > 1 && extra.front() == '-')
    return error(ErrorKind::Usage, "{}: not an option of '{}'; '{} --help' lists them", extra,
                 command, command);
  if (command == "retest")
    return error(ErrorKind::Usage, "{}: no such command{}; 'retest --help' lists them", extra,
                 suggestion(app, extra));
  return error(ErrorKind::Usage, "{}: one argument too many for '{}'; see '{} --help'", extra,
               command, command);
}

llvm::Expected<ExitCode> runAction(Context &context) {
  if (!context.action)
    return error(ErrorKind::Usage, "no command given; 'retest --help' lists them");
  if (context.options.isQuiet && context.options.isVerbose)
    return error(ErrorKind::Usage, "-q and -v: only one of them can be had; leave out the other");
  const std::string &directory = context.options.directory;
  if (!directory.empty())
    if (std::error_code code = llvm::sys::fs::set_current_path(directory))
      return error(ErrorKind::Usage, "{}: cannot change to this directory: {}", directory,
                   code.message());
  return context.action();
}

} // namespace

int run(const std::vector<std::string> &arguments, llvm::raw_ostream &out, llvm::raw_ostream &err,
        std::vector<std::shared_ptr<void>> *leftovers) {
  Context context{out, err, {}, {}, {}, {}};
  CLI::App app("Tells which tests a change to a C++ program can affect, and why.", "retest");
  app.set_version_flag("--version", "retest " RETEST_VERSION " (LLVM " LLVM_VERSION_STRING ")");
  app.footer("'retest help exit-codes' explains the exit codes.");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.require_subcommand(0, 1); // more would take the name of a command for one, not for a value
  addGlobalOptions(app, context.options);
  addCommands(app, context);

  // CLI11 reports by throwing, help and version included; nothing else here throws.
  try {
    // It takes the arguments from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError &problem) {
    applyGlobalOptions(context);
    if (problem.get_exit_code() != 0)
      return static_cast<int>(reportError(usageError(app, problem), err));
    std::ostringstream text;
    app.exit(problem, text, text);
    out << text.str();
    return static_cast<int>(ExitCode::Success);
  }

  applyGlobalOptions(context);
  llvm::Expected<ExitCode> code = runAction(context);
  if (leftovers)
    *leftovers = std::move(context.leftovers);
  return static_cast<int>(code ? *code : reportError(code.takeError(), err));
}

} // namespace retest
