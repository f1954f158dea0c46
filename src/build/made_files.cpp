#include "build/made_files.h"

#include "build/build_tool_files.h"
#include "build/ninja_dry_run.h"
#include "build/ninja_files.h"
#include "build/paths.h"
#include "support/error.h"
#include "support/file_state.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace retest {
namespace {

/// Files that are asked for one by one. If there are more, and one is out of date, all count as
/// such.
constexpr std::size_t kMostQuestions = 16;

/// What a rule of a makefile makes; objects and names of steps as well, which nobody reads.
void readMakeLine(llvm::StringRef line, const std::string &build, MadeFiles &made) {
  if (line.consume_front("\t")) {
    llvm::append_range(made.steps, stepsOf(line, build)); // compilers as well
    return;
  }
  if (line.empty() || llvm::StringRef("#.%$").contains(line.front()))
    return;
  auto [output, inputs] = line.split(": ");
  if (!inputs.empty() && !output.starts_with("CMakeFiles/"))
    made.outputs.push_back(absolutePath(build, output));
}

/// The newest file of the project, apart from what is built.
std::pair<std::int64_t, std::string> newestFile(const ProjectPaths &paths) {
  std::pair<std::int64_t, std::string> newest;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator
           each(paths.root, code, /*follow_symlinks=*/false),
       end;
       each != end && !code; each.increment(code)) {
    const std::string &path = each->path();
    if (path == paths.build || llvm::sys::path::filename(path) == ".git") {
      each.no_push();
      continue;
    }
    if (std::optional<FileStamp> stamp = stampOf(path))
      newest = std::max(newest, {stamp->modified, path});
  }
  return newest;
}

std::int64_t timeOf(const std::string &path) {
  std::optional<FileStamp> stamp = stampOf(path);
  return stamp ? stamp->modified : 0;
}

/// Whether it compiles or links, with a launcher or without.
bool isOfBuild(const BuildStep &step, const std::vector<std::string> &tools) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::StringRef(step.text).split(words, ' ', 8, /*KeepEmpty=*/false);
  if (llvm::any_of(words, [&](llvm::StringRef word) {
        return std::binary_search(tools.begin(), tools.end(), word);
      }))
    return true;
  if (words.size() < 3)
    return false;
  llvm::StringRef program = llvm::sys::path::filename(words[0]);
  return (program == "cmake" && words[1] == "-E" &&
          (words[2] == "rm" || words[2].starts_with("cmake_"))) ||
         (program == "meson" && words[1] == "--internal" && words[2] == "symbolextractor");
}

} // namespace

void MadeFiles::add(const std::string &output, const std::string &buildDirectory) {
  outputs.push_back(withRealParent(absolutePath(buildDirectory, output)));
  if (ninjaName(outputs.back(), buildDirectory) != output)
    spelled[outputs.back()] = output;
}

std::string MadeFiles::nameOf(const std::string &path, const std::string &buildDirectory) const {
  auto known = spelled.find(path);
  return known == spelled.end() ? ninjaName(path, buildDirectory) : known->second;
}

bool MadeFiles::contains(const std::string &path) const {
  return std::binary_search(outputs.begin(), outputs.end(), path);
}

MadeFiles readMadeFiles(const std::string &buildDirectory) {
  MadeFiles made;
  if (buildToolOf(buildDirectory) == BuildTool::Ninja) {
    made.ninja = ninjaProgram(buildDirectory);
    readNinjaFiles(buildDirectory, made);
  } else {
    forEachBuildLine(buildDirectory,
                     [&](llvm::StringRef line) { readMakeLine(line, buildDirectory, made); });
  }
  llvm::sort(made.tools);
  llvm::sort(made.steps);
  made.steps.erase(std::unique(made.steps.begin(), made.steps.end()), made.steps.end());
  llvm::sort(made.outputs);
  made.outputs.erase(std::unique(made.outputs.begin(), made.outputs.end()), made.outputs.end());
  return made;
}

std::vector<std::string> sourcesToMake(const MadeFiles &made, const ProjectPaths &paths,
                                       llvm::ArrayRef<std::string> inputs) {
  if (made.ninja.empty() || !made.mayHaveCommands())
    return {};
  std::vector<std::string> targets = made.sourceTargets;
  // What a unit has read, though nothing in the order of the build says that it will be there.
  for (const std::string &input : inputs)
    if (made.contains(input))
      targets.push_back(made.nameOf(input, paths.build));
  return targets;
}

llvm::Error makeSources(const MadeFiles &made, const ProjectPaths &paths,
                        llvm::ArrayRef<std::string> inputs) {
  if (!made.ninja.empty()) {
    std::vector<std::string> command = sourcesToMake(made, paths, inputs);
    if (command.empty())
      return llvm::Error::success();
    command.insert(command.begin(), made.ninja);
    llvm::Expected<ProcessResult> result =
        runProcess({.arguments = std::move(command), .directory = paths.build});
    if (!result)
      return result.takeError();
    if (result->succeeded())
      return llvm::Error::success();
    std::string all = result->output + result->errors;
    llvm::StringRef said = llvm::StringRef(all).trim();
    return error("{}: the sources that are generated there cannot be made: {}", paths.build,
                 said.substr(said.size() > 2000 ? said.size() - 2000 : 0).str());
  }
  std::optional<std::pair<std::int64_t, std::string>> newest;
  for (const std::string &input : inputs) {
    bool isInBuild = isWithin(input, paths.build) && !isWithin(paths.root, paths.build);
    if (!made.contains(input) && !isInBuild)
      continue;
    if (!newest)
      newest = newestFile(paths);
    if (timeOf(input) < newest->first)
      return error("{} may be made by the build and out of date, for {} is newer; let ninja build, "
                   "which can be asked",
                   paths.nameOf(input), paths.nameOf(newest->second));
  }
  return llvm::Error::success();
}

std::vector<std::string> outdatedFiles(const MadeFiles &made, const ProjectPaths &paths,
                                       const std::vector<std::string> &files) {
  std::vector<std::string> asked;
  std::set_intersection(files.begin(), files.end(), made.outputs.begin(), made.outputs.end(),
                        std::back_inserter(asked));
  if (asked.empty())
    return asked;
  if (made.ninja.empty())
    return asked; // times do not tell: flags matter, and what CMake writes
  std::vector<std::string> names;
  for (const std::string &file : asked)
    names.push_back(made.nameOf(file, paths.build));
  if (!needsWork(made.ninja, paths.build, names)) {
    asked.clear();
  } else if (asked.size() <= kMostQuestions) {
    llvm::erase_if(asked, [&](const std::string &file) {
      return !needsWork(made.ninja, paths.build, made.nameOf(file, paths.build));
    });
  }
  return asked;
}

StepsToRun stepsToRun(const MadeFiles &made, const std::string &buildDirectory,
                      llvm::function_ref<bool(llvm::StringRef)> isHarmless) {
  std::optional<std::vector<std::string>> commands;
  if (!made.ninja.empty())
    commands = commandsToRun(made.ninja, buildDirectory, made.allTargets);
  if (!commands)
    return {"", ""};
  llvm::StringSet<> own;
  for (const BuildStep &step : made.steps)
    own.insert(step.text);
  StepsToRun result;
  for (const std::string &command : *commands)
    for (const BuildStep &step : stepsOf(command, buildDirectory))
      if ((own.contains(step.text) || !isOfBuild(step, made.tools)) && !isHarmless(step.text)) {
        result.any = step.text;
        if (step.isOpaque)
          result.opaque = step.text;
      }
  return result;
}

} // namespace retest
