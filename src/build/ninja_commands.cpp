#include "build/build_tool_files.h"
#include "build/link_sources.h"
#include "build/paths.h"
#include "support/process.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// build.ninja; with several configurations, the file of each.
std::vector<std::string> ninjaFiles(llvm::StringRef build) {
  std::vector<std::string> files;
  std::error_code failure;
  for (llvm::sys::fs::directory_iterator entry(build, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    llvm::StringRef name = llvm::sys::path::filename(entry->path());
    if (name.starts_with("build-") && name.ends_with(".ninja"))
      files.push_back(name.str());
  }
  llvm::sort(files);
  if (files.empty() && llvm::sys::fs::exists(joinPath(build, "build.ninja")))
    files.push_back("build.ninja");
  return files;
}

llvm::Expected<std::string> outputOf(std::vector<std::string> arguments) {
  ProcessCommand command;
  command.arguments = std::move(arguments);
  auto result = runProcess(command);
  if (!result)
    return result.takeError();
  if (!result->succeeded())
    return llvm::createStringError(llvm::StringRef(result->errors).trim());
  return std::move(result->output);
}

/// The commands of a compilation database as ninja prints it; nothing if it is none.
std::optional<std::vector<std::string>> commandsInJson(llvm::StringRef text) {
  auto json = llvm::json::parse(text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Array *list = json->getAsArray();
  if (!list || list->empty())
    return std::nullopt;
  std::vector<std::string> commands;
  for (const llvm::json::Value &entry : *list)
    if (const llvm::json::Object *object = entry.getAsObject())
      commands.push_back(object->getString("command").value_or("").str());
  return commands;
}

/// All commands of one ninja file. `-t compdb -x` is preferred because it shows what a response
/// file would contain, which exists only while its command runs. Before ninja 1.10 it wants the
/// names of rules, and names that are not UTF-8 spoil its JSON: then `-t commands`.
llvm::Expected<std::vector<std::string>>
commandsOf(const std::string &program, const std::string &build, const std::string &file) {
  auto json = outputOf({program, "-C", build, "-f", file, "-t", "compdb", "-x"});
  if (json) {
    if (auto commands = commandsInJson(*json))
      return std::move(*commands);
  } else {
    llvm::consumeError(json.takeError());
  }
  auto text = outputOf({program, "-C", build, "-f", file, "-t", "commands"});
  if (!text)
    return text.takeError();
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(lines.begin(), lines.end());
}

} // namespace

std::optional<LinkLines> readNinjaCommands(const ProjectPaths &paths,
                                           const llvm::StringSet<> &drivers) {
  std::vector<std::string> files = ninjaFiles(paths.build);
  if (files.empty())
    return std::nullopt;
  LinkLines result;
  result.source = "link commands of ninja";
  std::string program = ninjaProgram(paths.build);
  if (!findProgram(program)) {
    result.notes.push_back("ninja: not found, so its link commands are not known");
    return result;
  }
  for (const std::string &file : files) {
    auto commands = commandsOf(program, paths.build, file);
    if (!commands) {
      result.notes.push_back(fmt::format("{}: ninja cannot read it: {}",
                                         paths.nameOf(joinPath(paths.build, file)),
                                         llvm::toString(commands.takeError())));
      continue;
    }
    for (const std::string &command : *commands)
      addLine(result, parseLinkLine(command, paths.build, drivers));
  }
  return result;
}

} // namespace retest
