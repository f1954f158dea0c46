#include "cli/context.h"

#include <unistd.h>

namespace retest {

std::string Context::warningLine(llvm::StringRef text) const {
  llvm::StringRef word = err.colors_enabled() ? "\033[1;35mwarning:\033[0m " : "warning: ";
  return ("retest: " + word + text).str();
}

void Context::warning(llvm::StringRef text) { err << warningLine(text) << '\n'; }

void Context::info(llvm::StringRef text) {
  if (!options.isQuiet)
    err << "retest: " << text << '\n';
}

void Context::detail(llvm::StringRef text) {
  if (options.isVerbose)
    err << "retest: " << text << '\n';
}

Progress Context::progress(std::string label, std::size_t total) {
  return Progress(err, progressStyle, std::move(label), total);
}

void applyGlobalOptions(Context &context) {
  const ColorVariables variables = colorVariablesFromEnvironment();
  const bool isErrTerminal = context.err.is_displayed();
  context.out.enable_colors(useColor(context.options.color, variables, context.out.is_displayed()));
  context.err.enable_colors(useColor(context.options.color, variables, isErrTerminal));
  context.progressStyle.mode =
      context.options.isQuiet
          ? ProgressMode::None
          : resolved(context.options.progress, canRedraw(variables, isErrTerminal));
  context.progressStyle.width = terminalWidth(STDERR_FILENO);
}

} // namespace retest
