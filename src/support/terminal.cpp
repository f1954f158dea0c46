#include "support/terminal.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Process.h>

#include <sys/ioctl.h>

namespace retest {

namespace {

bool isSet(const std::optional<std::string> &variable) { return variable && !variable->empty(); }

} // namespace

ColorVariables colorVariablesFromEnvironment() {
  using llvm::sys::Process;
  return {Process::GetEnv("NO_COLOR"), Process::GetEnv("CLICOLOR_FORCE"),
          Process::GetEnv("FORCE_COLOR"), Process::GetEnv("CLICOLOR"), Process::GetEnv("TERM")};
}

bool useColor(ColorMode mode, const ColorVariables &variables, bool isTerminal) {
  if (mode != ColorMode::Auto)
    return mode == ColorMode::Always;
  if (isSet(variables.noColor))
    return false;
  if (isSet(variables.clicolorForce) && variables.clicolorForce != "0")
    return true;
  if (isSet(variables.forceColor))
    return variables.forceColor != "0" && variables.forceColor != "false";
  if (variables.clicolor == "0")
    return false;
  return canRedraw(variables, isTerminal);
}

bool canRedraw(const ColorVariables &variables, bool isTerminal) {
  return isTerminal && variables.term != "dumb";
}

unsigned terminalWidth(int fileDescriptor) {
  constexpr unsigned kUsualWidth = 80;
  winsize size{};
  if (ioctl(fileDescriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  unsigned columns = 0;
  if (auto text = llvm::sys::Process::GetEnv("COLUMNS");
      text && !llvm::StringRef(*text).getAsInteger(10, columns) && columns > 0)
    return columns;
  return kUsualWidth;
}

} // namespace retest
