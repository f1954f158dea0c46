#include "run/unbuilt_commands.h"

#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/raw_ostream.h>

#include <deque>

namespace retest {

namespace {

/// Stands in for CTest: prints each test with its command, a line each on standard error, in
/// hexadecimal digits so that any text comes through.
constexpr char kReader[] = R"(
cmake_minimum_required(VERSION 3.20)
function(add_test)
  set(line "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE ${last})
    string(HEX "${ARGV${i}}" hex)
    string(APPEND line "x${hex} ")
  endforeach()
  message("${line}")
endfunction()
function(set_tests_properties)
endfunction()
function(set_directory_properties)
endfunction()
macro(subdirs)
  foreach(directory ${ARGN})
    if(IS_ABSOLUTE "${directory}")
      include("${directory}/CTestTestfile.cmake" OPTIONAL)
    else()
      include("${CMAKE_CURRENT_LIST_DIR}/${directory}/CTestTestfile.cmake" OPTIONAL)
    endif()
  endforeach()
endmacro()
include("${TOP}/CTestTestfile.cmake")
)";

using Command = std::vector<std::string>;

/// In the order of CTest; the name of the test comes first.
std::vector<Command> readCommands(const std::string &buildDirectory) {
  std::vector<Command> commands;
  llvm::SmallString<128> script;
  int file = -1;
  if (llvm::sys::fs::createTemporaryFile("retest", "cmake", file, script))
    return commands;
  llvm::FileRemover remover(script);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << kReader;
  auto result =
      runProcess({.arguments = {"cmake", "-DTOP=" + buildDirectory, "-P", script.str().str()},
                  .directory = buildDirectory});
  if (!result) {
    llvm::consumeError(result.takeError());
    return commands;
  }
  if (!result->succeeded())
    return commands;
  llvm::SmallVector<llvm::StringRef> lines, words;
  llvm::StringRef(result->errors).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    words.clear();
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    Command command;
    for (llvm::StringRef word : words) {
      std::string text;
      if (!word.consume_front("x") || !llvm::tryGetFromHex(word, text))
        return {}; // something else speaks
      command.push_back(std::move(text));
    }
    if (!command.empty())
      commands.push_back(std::move(command));
  }
  return commands;
}

} // namespace

void addUnbuiltCommands(std::vector<SuiteEntry> &entries, const std::string &buildDirectory) {
  if (llvm::none_of(entries, [](const SuiteEntry &entry) { return entry.command.empty(); }))
    return;
  llvm::StringMap<std::deque<Command>> byName; // a name may be used in several directories
  for (Command &command : readCommands(buildDirectory)) {
    std::string name = command.front();
    command.erase(command.begin());
    byName[name].push_back(std::move(command));
  }
  for (SuiteEntry &entry : entries) {
    auto known = byName.find(entry.name);
    if (known == byName.end() || known->second.empty())
      continue;
    if (entry.command.empty())
      entry.command = known->second.front();
    known->second.pop_front();
  }
}

} // namespace retest
