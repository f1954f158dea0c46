#include "build/compile_database.h"
#include "build/command_line.h"
#include "build/compile_entries.h"
#include "build/language.h"
#include "build/paths.h"
#include "build/precompiled_headers.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>

namespace retest {
namespace {

/// The argument of the last -o; empty if there is none. Other options begin with -o as well, so
/// the joined form counts only if there is no other.
std::string outputOf(const std::vector<std::string> &arguments) {
  std::string output, joined;
  for (size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef word = arguments[i];
    if (word == "-Xclang")
      ++i;
    else if ((word == "-o" || word == "--output") && i + 1 < arguments.size())
      output = arguments[++i];
    else if (word.consume_front("--output="))
      output = word.str();
    else if (word.consume_front("-o"))
      joined = word.str();
  }
  return output.empty() ? joined : output;
}

CompileCommand commandOf(CompileEntry entry) {
  CompileCommand command;
  command.arguments = expandResponseFiles(withoutLaunchers(entry.arguments), entry.directory);
  command.object = std::move(entry.output);
  if (command.object.empty())
    if (std::string output = outputOf(command.arguments); !output.empty())
      command.object = absolutePath(entry.directory, output);
  command.directory = std::move(entry.directory);
  command.file = std::move(entry.file);
  return command;
}

/// A shell in the place of the compiler hides the flags, and a unit that is parsed without its
/// flags is another unit: an error, not a doubt.
llvm::Error shellEntry(const std::string &database, size_t number, const CompileCommand &command,
                       const ProjectPaths &paths) {
  return error("{}: entry {} (for {}) runs {}, a shell, which hides the compiler and its flags; "
               "write the entry as the compiler with its flags (ccache or `env A=b` may stand "
               "before it)",
               database, number, paths.nameOf(command.file), command.arguments.front());
}

/// Names the units, given in the order that numbers those with the same source and object.
std::vector<Unit> nameUnits(std::vector<CompileCommand> commands, const ProjectPaths &paths) {
  std::vector<Unit> units;
  llvm::StringMap<int> timesCompiled;
  for (CompileCommand &command : commands) {
    units.push_back({paths.nameOf(command.file), std::move(command)});
    ++timesCompiled[units.back().name];
  }
  llvm::StringMap<int> timesUsed;
  for (Unit &unit : units) {
    if (timesCompiled[unit.name] > 1 && !unit.command.object.empty())
      unit.name += "@" + paths.nameOf(unit.command.object);
    if (int number = ++timesUsed[unit.name]; number > 1)
      unit.name += "#" + std::to_string(number);
  }
  llvm::sort(units, [](const Unit &a, const Unit &b) { return a.name < b.name; });
  return units;
}

void sortEachOnce(std::vector<CompileCommand> &commands) {
  llvm::sort(commands);
  commands.erase(std::unique(commands.begin(), commands.end()), commands.end());
}

} // namespace

llvm::Expected<CompileDatabase> loadCompileDatabase(llvm::StringRef buildDirectory,
                                                    const ProjectPaths &paths) {
  auto entries = readCompileEntries(buildDirectory);
  if (!entries)
    return entries.takeError();
  CompileDatabase database;
  database.path = compileDatabasePath(buildDirectory);

  std::vector<CompileCommand> commands;
  PrecompiledHeaders headers;
  for (size_t i = 0; i < entries->size(); ++i) {
    CompileCommand command = commandOf(std::move((*entries)[i]));
    headers.add(command);
    Classification found = classify(command);
    if (found.kind == EntryKind::Unit) {
      if (isShellName(command.arguments.front()))
        return shellEntry(database.path, i + 1, command, paths);
      commands.push_back(std::move(command));
      continue;
    }
    database.skipped.push_back(paths.nameOf(command.file) + ": " + found.reason);
    if (found.kind == EntryKind::OtherLanguage)
      database.others.push_back(std::move(command));
  }
  if (commands.empty())
    return error("{}: none of its {} entries is C or C++; name the build directory of a C or C++ "
                 "project with -p DIR",
                 database.path, entries->size());
  if (llvm::none_of(commands, [](const CompileCommand &command) {
        return llvm::sys::fs::exists(command.file);
      }))
    return error("{}: none of its {} sources exists (such as {}); configure the build directory "
                 "again",
                 database.path, commands.size(), commands.front().file);

  for (CompileCommand &command : commands)
    if (llvm::Error unknown = headers.resolve(command))
      return unknown;
  sortEachOnce(commands);
  sortEachOnce(database.others);
  llvm::sort(database.skipped);
  database.units = nameUnits(std::move(commands), paths);
  return database;
}

} // namespace retest
