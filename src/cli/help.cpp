#include "cli/commands.h"
#include "support/error.h"

#include <fmt/format.h>

#include <memory>

namespace retest {

namespace {

ExitCode printExitCodes(Context &context) {
  for (const ExitCodeMeaning &row : exitCodeTable())
    context.out << fmt::format("{:>5}  {}\n", row.codes, row.meaning);
  return ExitCode::Success;
}

llvm::Expected<ExitCode> runHelp(const std::string &topic, const CLI::App &app, Context &context) {
  if (topic == "exit-codes")
    return printExitCodes(context);
  if (topic.empty()) {
    // Not app.help(), which would explain the command that was parsed: this one.
    context.out << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return ExitCode::Success;
  }
  // Not get_subcommand: it throws if there is none.
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    if (command->get_name() == topic) {
      context.out << command->help(app.get_name());
      return ExitCode::Success;
    }
  return error(ErrorKind::Usage,
               "{}: no such topic; there is help on each command and on 'exit-codes'", topic);
}

} // namespace

void addHelpCommand(CLI::App &app, Context &context) {
  auto topic = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("help", "Explain a command, or the exit codes");
  command->add_option("TOPIC", *topic, "A command, or 'exit-codes'")->type_name("");
  command->callback([topic, &app, &context] {
    context.action = [topic, &app, &context] { return runHelp(*topic, app, context); };
  });
}

} // namespace retest
