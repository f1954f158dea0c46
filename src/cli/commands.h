#pragma once

#include "cli/context.h"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace retest {

/// Each command lives in its own file and offers one function, which adds it to the program:
///
///     void addGraphCommand(CLI::App &app, Context &context) {
///       auto options = std::make_shared<GraphOptions>();
///       CLI::App *command = app.add_subcommand("graph", "Show the program graph ...");
///       command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
///       command->callback([options, &context] {
///         context.action = [options, &context] { return runGraph(*options, context); };
///       });
///     }
///
/// Parsing only notes what is to be done; the action runs afterwards, in the directory of -C. So
/// paths are checked in the action, not with CLI11's validators. The new command also needs its
/// line in addCommands (run.cpp) and its page in man/.
void addDbCommand(CLI::App &app, Context &context);
void addSelectCommand(CLI::App &app, Context &context);
void addExplainCommand(CLI::App &app, Context &context);
void addDiffCommand(CLI::App &app, Context &context);
void addGraphCommand(CLI::App &app, Context &context);
void addHelpCommand(CLI::App &app, Context &context);
void addInitCommand(CLI::App &app, Context &context);
void addRecordCommand(CLI::App &app, Context &context);
void addRunCommand(CLI::App &app, Context &context);
void addShadowCommand(CLI::App &app, Context &context);
void addStatsCommand(CLI::App &app, Context &context);
void addVerifyCommand(CLI::App &app, Context &context);
void addWhoCommand(CLI::App &app, Context &context);

/// An option whose value is one of a few words, such as `--color auto|always|never`.
template <class Choice>
CLI::Option *addChoice(CLI::App &app, const std::string &names, Choice &value,
                       const std::vector<std::pair<std::string, Choice>> &words,
                       const std::string &help) {
  std::vector<std::string> spelled;
  for (const auto &word : words)
    spelled.push_back(word.first);
  auto set = [&value, words](const std::string &chosen) {
    for (const auto &[word, choice] : words)
      if (word == chosen)
        value = choice;
  };
  return app.add_option_function<std::string>(names, set, help)
      ->type_name(CLI::detail::join(spelled, "|"))
      ->check(CLI::IsMember(spelled).description(""));
}

} // namespace retest
