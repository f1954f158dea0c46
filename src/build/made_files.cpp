#include "build/made_files.h"

#include "build/build_tool_files.h"
#include "build/cmake_cache.h"
#include "build/meson_build.h"
#include "build/ninja_dry_run.h"
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

/// Whether a step is of a target that CMake adds to each project.
bool isCMakesOwn(const BuildStep &step) {
  auto [program, rest] = llvm::StringRef(step.text).split(' ');
  llvm::StringRef name = llvm::sys::path::filename(program);
  return name == "ctest" || name == "cpack" || name == "ccmake" || name == "cmake-gui" ||
         (name == "cmake" &&
          (rest.contains("--regenerate-during-build") || rest.ends_with("-P cmake_install.cmake")));
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

/// Reads what CMake and Meson write for ninja, line by line.
class NinjaReader {
public:
  NinjaReader(const std::string &build, MadeFiles &made)
      : build_(build), made_(made), isMeson_(isMesonBuild(build)) {}

  void read(llvm::StringRef line) {
    llvm::StringRef value = line.ltrim();
    bool isCommand = value.consume_front("COMMAND = ");
    if (isCommand || value.consume_front("POST_BUILD = ") || value.consume_front("PRE_LINK = "))
      for (BuildStep &step : stepsOf(ninjaValue(value), build_))
        if (!isCommand || !isUtility_ || (!isMeson_ && !isCMakesOwn(step)))
          made_.steps.push_back(std::move(step));
    if (value.consume_front("command = ")) // of a rule
      readTools(value);
    if (line.consume_front("build "))
      readEdge(line);
  }

  /// After the last line.
  void finish() {
    for (const std::string &output : mesonOutputs_)
      if (compiled_.contains(output))
        made_.sourceTargets.push_back(output);
  }

private:
  void readTools(llvm::StringRef command) {
    llvm::SmallVector<llvm::StringRef, 16> words;
    command.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef word : words) {
      word = word.substr(word.rfind('}') + 1);            // ${LAUNCHER}
      bool isProgram = word.starts_with("/") || isMeson_; // which may leave it to PATH
      if (isProgram && !word.contains('$') && !word.starts_with("-") && !word.starts_with("@") &&
          !llvm::sys::path::filename(word).starts_with("cmake"))
        made_.tools.push_back(word.str());
    }
  }

  void readEdge(llvm::StringRef line) {
    isUtility_ = false;
    if (line.starts_with(kSourceTarget)) {
      made_.sourceTargets.push_back(line.take_until([](char c) { return c == ':'; }).str());
      return;
    }
    if (isMeson_)
      readCompiled(line);
    if (!line.contains("CUSTOM_COMMAND"))
      return;
    llvm::StringRef rule;
    std::vector<std::string> outputs = ninjaOutputs(line, rule);
    if (!rule.starts_with("CUSTOM_COMMAND"))
      return;
    for (const std::string &output : outputs)
      if (isMeson_ ? llvm::StringRef(output).starts_with("meson-internal__")
                   : llvm::StringRef(output).ends_with(".util")) {
        isUtility_ = true;
      } else {
        made_.outputs.push_back(withRealParent(absolutePath(build_, output)));
        if (isMeson_)
          mesonOutputs_.push_back(output);
      }
  }

  /// What Meson wants to be there before something is compiled, and what is compiled.
  void readCompiled(llvm::StringRef line) {
    llvm::StringRef inputs;
    ninjaOutputs(line, inputs);
    auto [rule, rest] = inputs.split(' ');
    if (!rule.contains("_COMPILER") && !rule.contains("_PCH"))
      return;
    llvm::StringRef none;
    for (const std::string &input : ninjaOutputs(rest, none)) // written in the same way
      compiled_.insert(input);
  }

  const std::string &build_;
  MadeFiles &made_;
  bool isMeson_;
  bool isUtility_ = false; ///< the edge that is being read makes no file
  std::vector<std::string> mesonOutputs_ = {};
  llvm::StringSet<> compiled_ = {};
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

/// Whether it compiles or links, with a launcher or without.
bool isOfBuild(const BuildStep &step, const std::vector<std::string> &tools) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::StringRef(step.text).split(words, ' ', 8, /*KeepEmpty=*/false);
  if (llvm::any_of(words, [&](llvm::StringRef word) {
        return std::binary_search(tools.begin(), tools.end(), word);
      }))
    return true;
  return words.size() > 2 && llvm::sys::path::filename(words[0]) == "cmake" && words[1] == "-E" &&
         (words[2] == "rm" || words[2].starts_with("cmake_"));
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
  ninja.finish();
  llvm::sort(made.tools);
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
  if (made.ninja.empty())
    return asked; // times do not tell: flags matter, and what CMake writes
  if (!needsWork(made.ninja, paths.build, asked)) {
    asked.clear();
  } else if (asked.size() <= kMostQuestions) {
    llvm::erase_if(
        asked, [&](const std::string &file) { return !needsWork(made.ninja, paths.build, file); });
  }
  return asked;
}

StepsToRun stepsToRun(const MadeFiles &made, const std::string &buildDirectory,
                      llvm::function_ref<bool(llvm::StringRef)> isHarmless) {
  std::optional<std::vector<std::string>> commands;
  if (!made.ninja.empty())
    commands = commandsToRun(made.ninja, buildDirectory);
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
