#include "build/made_files.h"

#include "build/build_tool_files.h"
#include "build/cmake_cache.h"
#include "build/ninja_dry_run.h"
#include "build/paths.h"
#include "support/error.h"
#include "support/file_state.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace retest {
namespace {

constexpr llvm::StringLiteral kSourceTarget = "cmake_object_order_depends_target_";
/// Files that are asked for one by one. If there are more, and one is out of date, all count as
/// such.
constexpr std::size_t kMostQuestions = 16;

/// The outputs of a line "build a b | c: RULE inputs", as ninja reads it.
std::vector<std::string> ninjaOutputs(llvm::StringRef line, llvm::StringRef &rest) {
  std::vector<std::string> outputs;
  std::string word;
  auto finish = [&] {
    if (!word.empty() && word != "|")
      outputs.push_back(word);
    word.clear();
  };
  std::size_t i = 0;
  for (; i < line.size() && line[i] != ':'; ++i) {
    if (line[i] == ' ') {
      finish();
    } else if (line[i] != '$' || i + 1 == line.size()) {
      word += line[i];
    } else if (line.substr(i).starts_with("${cmake_ninja_workdir}")) {
      i += llvm::StringRef("${cmake_ninja_workdir}").size() - 1; // the same once more
    } else {
      word += line[++i];
    }
  }
  finish();
  rest = line.substr(std::min(i + 1, line.size())).ltrim();
  return outputs;
}

/// What CMake adds to each project, and which no build of it runs.
bool isCMakesOwn(llvm::StringRef output) {
  static const llvm::StringSet<> kNames = {
      "edit_cache.util", "rebuild_cache.util", "list_install_components.util", "install.util",
      "local.util",      "strip.util",         "install_local.util",           "install_strip.util",
      "test.util",       "package.util",       "package_source.util"};
  return kNames.contains(llvm::sys::path::filename(output));
}

/// The value of a variable in a file of ninja, as it is used.
std::string ninjaValue(llvm::StringRef text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i += text[i] == '$' && i + 1 < text.size();
    value += text[i];
  }
  return value;
}

class NinjaReader {
public:
  NinjaReader(const std::string &build, MadeFiles &made) : build_(build), made_(made) {}

  void read(llvm::StringRef line) {
    llvm::StringRef value = line.ltrim();
    if (value.consume_front("POST_BUILD = ") || value.consume_front("PRE_LINK = ") ||
        (value.consume_front("COMMAND = ") && !isCMakesOwn_))
      llvm::append_range(made_.steps, stepsOf(ninjaValue(value), build_));
    if (line.consume_front("build "))
      readEdge(line);
  }

private:
  void readEdge(llvm::StringRef line) {
    isCMakesOwn_ = false;
    if (line.starts_with(kSourceTarget)) {
      made_.sourceTargets.push_back(line.take_until([](char c) { return c == ':'; }).str());
      return;
    }
    if (!line.contains("CUSTOM_COMMAND"))
      return;
    llvm::StringRef rule;
    std::vector<std::string> outputs = ninjaOutputs(line, rule);
    if (!rule.starts_with("CUSTOM_COMMAND"))
      return;
    isCMakesOwn_ = llvm::any_of(outputs, isCMakesOwn);
    for (const std::string &output : outputs)
      if (!llvm::StringRef(output).ends_with(".util"))
        made_.outputs.push_back(absolutePath(build_, output));
  }

  const std::string &build_;
  MadeFiles &made_;
  bool isCMakesOwn_ = false; ///< the edge that is being read
};

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

} // namespace

bool MadeFiles::contains(const std::string &path) const {
  return std::binary_search(outputs.begin(), outputs.end(), path);
}

MadeFiles readMadeFiles(const std::string &buildDirectory) {
  MadeFiles made;
  bool isNinja = buildToolOf(buildDirectory) == BuildTool::Ninja;
  if (isNinja)
    made.ninja = cmakeCacheEntry(buildDirectory, "CMAKE_MAKE_PROGRAM").value_or("ninja");
  NinjaReader ninja(buildDirectory, made);
  forEachBuildLine(buildDirectory, [&](llvm::StringRef line) {
    isNinja ? ninja.read(line) : readMakeLine(line, buildDirectory, made);
  });
  llvm::sort(made.steps);
  made.steps.erase(std::unique(made.steps.begin(), made.steps.end()), made.steps.end());
  llvm::sort(made.outputs);
  made.outputs.erase(std::unique(made.outputs.begin(), made.outputs.end()), made.outputs.end());
  return made;
}

llvm::Error makeSources(const MadeFiles &made, const ProjectPaths &paths,
                        llvm::ArrayRef<std::string> inputs) {
  if (!made.ninja.empty()) {
    if (!made.needsSources())
      return llvm::Error::success();
    std::vector<std::string> command = made.sourceTargets;
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
  if (made.ninja.empty()) {
    std::int64_t newest = newestFile(paths).first;
    llvm::erase_if(asked, [&](const std::string &file) { return timeOf(file) >= newest; });
  } else if (!needsWork(made.ninja, paths.build, asked)) {
    asked.clear();
  } else if (asked.size() <= kMostQuestions) {
    llvm::erase_if(
        asked, [&](const std::string &file) { return !needsWork(made.ninja, paths.build, file); });
  }
  return asked;
}

StepsToRun stepsToRun(const MadeFiles &made, const std::string &buildDirectory) {
  if (made.ninja.empty())
    return {};
  std::optional<std::vector<std::string>> commands = commandsToRun(made.ninja, buildDirectory);
  if (!commands)
    return {};
  StepsToRun result{false, false};
  llvm::StringMap<bool> isOpaque;
  for (const BuildStep &step : made.steps)
    isOpaque[step.text] |= step.isOpaque;
  for (const std::string &command : *commands) {
    if (llvm::StringRef(command).contains("--regenerate-during-build"))
      return {};
    for (const BuildStep &step : stepsOf(command, buildDirectory))
      if (auto known = isOpaque.find(step.text); known != isOpaque.end()) {
        result.any = true;
        result.opaque |= known->second;
      }
  }
  return result;
}

} // namespace retest
