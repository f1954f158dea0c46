#include "build/ninja_dry_run.h"

#include "build/build_tool_files.h"
#include "build/paths.h"

#include "support/file_state.h"
#include "support/process.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// What ninja writes in front of a command.
constexpr char kStatus[] = "[command] ";

llvm::Expected<ProcessResult> askNinja(const std::string &ninja, const std::string &build,
                                       std::vector<std::string> options,
                                       llvm::ArrayRef<std::string> files) {
  // Asked about build.ninja itself, a dry run sees no further if CMake may have to run first, as it
  // may each time with file(GLOB CONFIGURE_DEPENDS). This file has the same steps, and no step of
  // its own.
  options.insert(options.begin(), {ninja, "-f", "/dev/stdin", "-n"});
  options.push_back("--");
  for (const std::string &file : files)
    options.push_back(ninjaName(file, build));
  return runProcess({.arguments = std::move(options),
                     .directory = build,
                     .input = "include build.ninja\n",
                     .environment = {{"NINJA_STATUS", kStatus}}});
}

/// Why build.ninja is not what it would be made from now: a file is newer, or gone. Empty: it is.
std::string whyDescriptionIsOld(const std::string &ninja, const std::string &build) {
  constexpr llvm::StringLiteral kDescription = "build.ninja";
  llvm::Expected<ProcessResult> result =
      runProcess({.arguments = {ninja, "-t", "query", kDescription.str()}, .directory = build});
  if (!result)
    return llvm::toString(result.takeError());
  std::optional<FileStamp> made = stampOf(joinPath(build, kDescription));
  if (!made || !result->succeeded()) // nothing makes it
    return "";
  for (llvm::StringRef line : llvm::split(result->output, '\n')) {
    if (line.trim() == "outputs:")
      break;
    if (!line.consume_front("    ")) // its name, its rule
      continue;
    llvm::StringRef name = line.ltrim("| ");
    if (llvm::sys::path::filename(name) == "cmake.verify_globs")
      continue; // written each time CMake has looked for files
    std::optional<FileStamp> input = stampOf(absolutePath(build, name));
    if (!input)
      return "build.ninja is made from " + name.str() + ", which is gone";
    if (input->modified > made->modified)
      return "build.ninja older than " + name.str();
  }
  return "";
}

bool hasNothingToDo(const ProcessResult &result) {
  return result.succeeded() && llvm::StringRef(result.output).contains("no work to do");
}

/// Whether an explanation is about a step that runs in each build, or follows from another one.
bool saysNothing(llvm::StringRef why, const llvm::StringSet<> &asked) {
  if (why.ends_with(" is dirty"))
    return true;
  if (!why.consume_front("output "))
    return false;
  auto [output, rest] = why.split(' ');
  return (rest == "doesn't exist" || rest == "of phony edge with no inputs doesn't exist") &&
         !output.ends_with(".o") && !asked.contains(output);
}

} // namespace

bool needsWork(const std::string &ninja, const std::string &build,
               llvm::ArrayRef<std::string> files) {
  llvm::Expected<ProcessResult> result = askNinja(ninja, build, {}, files);
  if (result)
    return !hasNothingToDo(*result);
  llvm::consumeError(result.takeError());
  return true;
}

std::string whyOutdated(const std::string &ninja, const std::string &build,
                        llvm::ArrayRef<std::string> files) {
  if (std::string why = whyDescriptionIsOld(ninja, build); !why.empty())
    return why;
  llvm::Expected<ProcessResult> result = askNinja(ninja, build, {"-d", "explain"}, files);
  if (!result)
    return llvm::toString(result.takeError());
  if (hasNothingToDo(*result))
    return "";
  if (!result->succeeded())
    return llvm::StringRef(result->output + result->errors).trim().str();
  llvm::StringSet<> asked;
  for (const std::string &file : files)
    asked.insert(ninjaName(file, build));
  const std::string said = result->output + "\n" + result->errors;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  llvm::StringRef(said).split(lines, '\n', -1, /*KeepEmpty=*/false);
  bool isExplained = false;
  for (llvm::StringRef line : lines)
    if (line.consume_front("ninja explain: ")) {
      isExplained = true;
      if (!saysNothing(line.trim(), asked))
        return line.trim().str();
    }
  return isExplained ? "" : "ninja has work to do";
}

llvm::StringMap<std::string> ninjaTargets(const std::string &ninja, const std::string &build) {
  llvm::StringMap<std::string> targets;
  llvm::Expected<ProcessResult> result =
      runProcess({.arguments = {ninja, "-t", "targets", "all"}, .directory = build});
  if (!result) {
    llvm::consumeError(result.takeError());
    return targets;
  }
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::StringRef(result->output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    if (llvm::StringRef name = line.rsplit(": ").first; !name.empty())
      targets[withRealParent(absolutePath(build, name))] = name.str();
  return targets;
}

std::optional<std::vector<std::string>> commandsToRun(const std::string &ninja,
                                                      const std::string &build,
                                                      llvm::ArrayRef<std::string> targets) {
  llvm::Expected<ProcessResult> result = askNinja(ninja, build, {"-v"}, targets);
  if (!result) {
    llvm::consumeError(result.takeError());
    return std::nullopt;
  }
  if (!result->succeeded())
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  llvm::StringRef(result->output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> commands;
  for (llvm::StringRef line : lines)
    if (line.consume_front(kStatus))
      commands.push_back(line.str());
    else if (!line.starts_with("ninja: "))
      return std::nullopt; // a tool that speaks another way
  if (commands.empty() && !hasNothingToDo(*result))
    return std::nullopt;
  return commands;
}

} // namespace retest
