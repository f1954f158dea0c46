#pragma once

#include <optional>
#include <string>

namespace retest {

/// What `--color` says.
enum class ColorMode { Auto, Always, Never };

/// The environment variables that speak about colour; nothing where a variable is not set.
struct ColorVariables {
  std::optional<std::string> noColor;       ///< NO_COLOR: not empty means off
  std::optional<std::string> clicolorForce; ///< CLICOLOR_FORCE: not empty and not 0 means on
  std::optional<std::string> forceColor;    ///< FORCE_COLOR: on; `0` and `false` mean off
  std::optional<std::string> clicolor;      ///< CLICOLOR: 0 means off
  std::optional<std::string> term;          ///< TERM: `dumb` terminals show no colour
};

ColorVariables colorVariablesFromEnvironment();

/// Whether one stream gets colours. The first that has an opinion decides: the option, then the
/// variables in the order of ColorVariables, then whether the stream is a terminal.
bool useColor(ColorMode mode, const ColorVariables &variables, bool isTerminal);

/// Whether a line on standard error can be overwritten: a terminal that is not dumb.
bool canRedraw(const ColorVariables &variables, bool isTerminal);

/// Columns of the terminal behind a file descriptor; else what COLUMNS says, else 80.
unsigned terminalWidth(int fileDescriptor);

} // namespace retest
