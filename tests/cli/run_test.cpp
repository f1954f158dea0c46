#include "cli/run.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringRef.h>

#include <cstdlib>
#include <filesystem>

using namespace retest;

namespace {

struct Outcome {
  int code;
  std::string out, err;
};

Outcome retestWith(const std::vector<std::string> &arguments) {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  outcome.code = run(arguments, out, err);
  return outcome;
}

bool contains(llvm::StringRef text, llvm::StringRef part) { return text.contains(part); }

} // namespace

TEST_CASE("usage errors: exit code 2, the thing and the way out, and nothing on standard output") {
  struct Row {
    std::vector<std::string> arguments;
    std::string message;
  };
  const Row rows[] = {
      {{}, "retest: error: no command given; 'retest --help' lists them\n"},
      {{"-q"}, "retest: error: no command given; 'retest --help' lists them\n"},
      {{"frobnicate"}, "retest: error: frobnicate: no such command; 'retest --help' lists them\n"},
      {{"hepl"},
       "retest: error: hepl: no such command (did you mean 'help'?); 'retest --help' lists them\n"},
      {{"--frob"},
       "retest: error: --frob: not an option of 'retest'; 'retest --help' lists them\n"},
      {{"help", "--frob"},
       "retest: error: --frob: not an option of 'retest help'; 'retest help --help' lists them\n"},
      {{"help", "exit-codes", "x"},
       "retest: error: x: one argument too many for 'retest help'; see 'retest help --help'\n"},
      {{"help", "frobnicate"},
       "retest: error: frobnicate: no such topic; there is help on each "
       "command and on 'exit-codes'\n"},
      {{"--color", "blue", "help"},
       "retest: error: --color: blue not in {auto,always,never}; see 'retest help --help'\n"},
      {{"help", "--progress"},
       "retest: error: --progress: 1 required auto|bar|counter|none missing; see 'retest help "
       "--help'\n"},
      {{"-q", "help", "-v"},
       "retest: error: -q and -v: only one of them can be had; leave out the other\n"},
      {{"-C", "/no/such", "help"},
       "retest: error: /no/such: cannot change to this directory: No "
       "such file or directory\n"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.message);
    const Outcome outcome = retestWith(row.arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err == row.message);
  }
}

TEST_CASE("results: on standard output, with exit code 0 and a silent standard error") {
  struct Row {
    std::vector<std::string> arguments;
    std::string part;
  };
  const Row rows[] = {
      {{"--version"}, "retest " RETEST_VERSION " (LLVM 19"},
      {{"--help"}, "Usage: retest [OPTIONS] [COMMAND]"},
      {{"-h"}, "Usage: retest [OPTIONS] [COMMAND]"},
      {{"help"}, "Usage: retest [OPTIONS] [COMMAND]"},
      {{"--help"}, "\nCommands:\n  init "},
      {{"help", "--help"}, "Usage: retest help [OPTIONS] [TOPIC]"},
      {{"help", "help"}, "Usage: retest help [OPTIONS] [TOPIC]"},
      {{"help", "exit-codes"}, "  143  terminated (SIGTERM)\n"},
      {{"help", "exit-codes", "--color", "never", "-v"}, "    0  success"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.part);
    const Outcome outcome = retestWith(row.arguments);
    CHECK(outcome.code == 0);
    CHECK(contains(outcome.out, row.part));
    CHECK(outcome.err == "");
  }
}

TEST_CASE("colours: not in a pipe, unless asked for") {
  unsetenv("CLICOLOR_FORCE");
  unsetenv("FORCE_COLOR");
  CHECK(!contains(retestWith({"frobnicate"}).err, "\033["));
  CHECK(contains(retestWith({"--color", "always", "frobnicate"}).err, "\033["));
  setenv("CLICOLOR_FORCE", "1", 1);
  CHECK(contains(retestWith({"frobnicate"}).err, "\033["));
  CHECK(!contains(retestWith({"--color", "never", "frobnicate"}).err, "\033["));
  setenv("NO_COLOR", "1", 1);
  CHECK(!contains(retestWith({"frobnicate"}).err, "\033["));
  unsetenv("NO_COLOR");
  unsetenv("CLICOLOR_FORCE");
}

TEST_CASE("-C: the command runs there") {
  const std::filesystem::path before = std::filesystem::current_path();
  CHECK(retestWith({"-C", "/usr", "help"}).code == 0);
  CHECK(std::filesystem::current_path() == "/usr");
  std::filesystem::current_path(before);
}
