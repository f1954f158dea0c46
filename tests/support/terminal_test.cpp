#include "support/terminal.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace retest;

namespace {

constexpr bool kTerminal = true;
constexpr bool kPipe = false;

} // namespace

TEST_CASE("colour: the first that has an opinion decides") {
  struct Row {
    std::string situation;
    ColorMode mode;
    ColorVariables variables;
    bool isTerminal;
    bool expected;
  };
  const ColorVariables everythingOff{"1", "0", "0", "0", "dumb"};
  const ColorVariables everythingOn{std::nullopt, "1", "1", "1", "xterm"};
  const auto none = std::nullopt;
  const Row rows[] = {
      {"option beats all: always", ColorMode::Always, everythingOff, kPipe, true},
      {"option beats all: never", ColorMode::Never, everythingOn, kTerminal, false},
      {"nothing said: terminal",
       ColorMode::Auto,
       {none, none, none, none, "xterm"},
       kTerminal,
       true},
      {"nothing said: pipe", ColorMode::Auto, {none, none, none, none, "xterm"}, kPipe, false},
      {"no TERM at all", ColorMode::Auto, {}, kTerminal, true},
      {"dumb terminal", ColorMode::Auto, {none, none, none, none, "dumb"}, kTerminal, false},
      {"NO_COLOR beats CLICOLOR_FORCE",
       ColorMode::Auto,
       {"1", "1", "1", "1", "xterm"},
       kTerminal,
       false},
      {"NO_COLOR=0 is not empty",
       ColorMode::Auto,
       {"0", none, none, none, "xterm"},
       kTerminal,
       false},
      {"empty NO_COLOR says nothing",
       ColorMode::Auto,
       {"", none, none, none, "xterm"},
       kTerminal,
       true},
      {"CLICOLOR_FORCE beats FORCE_COLOR",
       ColorMode::Auto,
       {none, "1", "0", "0", "dumb"},
       kPipe,
       true},
      {"CLICOLOR_FORCE=0 says nothing",
       ColorMode::Auto,
       {none, "0", none, none, "xterm"},
       kPipe,
       false},
      {"CLICOLOR_FORCE=0 does not forbid",
       ColorMode::Auto,
       {none, "0", "1", none, "xterm"},
       kPipe,
       true},
      {"FORCE_COLOR beats CLICOLOR=0",
       ColorMode::Auto,
       {none, none, "1", "0", "dumb"},
       kPipe,
       true},
      {"FORCE_COLOR=3 is a depth", ColorMode::Auto, {none, none, "3", none, "xterm"}, kPipe, true},
      {"FORCE_COLOR=0 is off", ColorMode::Auto, {none, none, "0", none, "xterm"}, kTerminal, false},
      {"empty FORCE_COLOR says nothing",
       ColorMode::Auto,
       {none, none, "", none, "xterm"},
       kPipe,
       false},
      {"CLICOLOR=0 beats the terminal",
       ColorMode::Auto,
       {none, none, none, "0", "xterm"},
       kTerminal,
       false},
      {"CLICOLOR=1 does not force",
       ColorMode::Auto,
       {none, none, none, "1", "xterm"},
       kPipe,
       false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.situation);
    CHECK(useColor(row.mode, row.variables, row.isTerminal) == row.expected);
  }
}

TEST_CASE("width: without a terminal COLUMNS counts, and 80 if it is no number") {
  struct Row {
    std::string columns;
    unsigned expected;
  };
  const int file = open("/dev/null", O_RDONLY);
  for (const Row &row : {Row{"132", 132}, Row{"wide", 80}, Row{"0", 80}, Row{"", 80}}) {
    CAPTURE(row.columns);
    setenv("COLUMNS", row.columns.c_str(), 1);
    CHECK(terminalWidth(file) == row.expected);
  }
  unsetenv("COLUMNS");
  CHECK(terminalWidth(file) == 80);
  close(file);
}
