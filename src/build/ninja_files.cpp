#include "build/ninja_files.h"

#include "build/build_tool_files.h"
#include "build/meson_build.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// Up to a colon, or to the end; `line` is what follows.
std::vector<std::string> takeWords(llvm::StringRef &line) {
  std::vector<std::string> words;
  std::string word;
  auto finish = [&] {
    if (!word.empty() && word != "|" && word != "||" && word != "|@")
      words.push_back(word);
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
  line = line.substr(std::min(i + 1, line.size())).ltrim();
  return words;
}

/// A line "build a b | c: RULE d | e || f".
struct Edge {
  std::vector<std::string> outputs;
  std::string rule;
  llvm::StringRef inputs; ///< as they are written

  std::vector<std::string> inputWords() const {
    llvm::StringRef rest = inputs;
    return takeWords(rest);
  }
};

Edge edgeOf(llvm::StringRef line) {
  Edge edge;
  edge.outputs = takeWords(line);
  auto [rule, inputs] = line.split(' ');
  edge.rule = rule.str();
  edge.inputs = inputs;
  return edge;
}

/// The value of a variable, as it is used.
std::string valueOf(llvm::StringRef text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    i += text[i] == '$' && i + 1 < text.size();
    value += text[i];
  }
  return value;
}

/// Whether a step is of a target that CMake adds to each project.
bool isCMakesOwn(const BuildStep &step) {
  auto [program, rest] = llvm::StringRef(step.text).split(' ');
  llvm::StringRef name = llvm::sys::path::filename(program);
  return name == "ctest" || name == "cpack" || name == "ccmake" || name == "cmake-gui" ||
         (name == "cmake" &&
          (rest.contains("--regenerate-during-build") || rest.ends_with("-P cmake_install.cmake")));
}

class CMakeReader {
public:
  CMakeReader(const std::string &build, MadeFiles &made) : build_(build), made_(made) {}

  void read(llvm::StringRef line) {
    llvm::StringRef value = line.ltrim();
    bool isCommand = value.consume_front("COMMAND = ");
    if (isCommand || value.consume_front("POST_BUILD = ") || value.consume_front("PRE_LINK = "))
      for (BuildStep &step : stepsOf(valueOf(value), build_))
        if (!isCommand || !isUtility_ || !isCMakesOwn(step))
          made_.steps.push_back(std::move(step));
    if (value.consume_front("command = ")) // of a rule
      readTools(value);
    if (line.consume_front("build "))
      readEdge(line);
  }

private:
  void readTools(llvm::StringRef command) {
    llvm::SmallVector<llvm::StringRef, 16> words;
    command.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef word : words) {
      word = word.substr(word.rfind('}') + 1); // ${LAUNCHER}
      if (word.starts_with("/") && !word.contains('$') &&
          !llvm::sys::path::filename(word).starts_with("cmake"))
        made_.tools.push_back(word.str());
    }
  }

  void readEdge(llvm::StringRef line) {
    constexpr llvm::StringLiteral kSourceTarget = "cmake_object_order_depends_target_";
    isUtility_ = false;
    if (line.starts_with(kSourceTarget)) {
      made_.sourceTargets.push_back(line.take_until([](char c) { return c == ':'; }).str());
      return;
    }
    if (!line.contains("CUSTOM_COMMAND"))
      return; // most of them: not worth a closer look
    Edge edge = edgeOf(line);
    if (!llvm::StringRef(edge.rule).starts_with("CUSTOM_COMMAND"))
      return;
    for (const std::string &output : edge.outputs)
      if (llvm::StringRef(output).ends_with(".util"))
        isUtility_ = true;
      else
        made_.add(output, build_);
  }

  const std::string &build_;
  MadeFiles &made_;
  bool isUtility_ = false; ///< the edge that is being read makes no file
};

/// Meson's commands may say nothing about what they do (`meson --internal exe --unpickle X`); their
/// text is another one if it is something else, for X is named by its content.
class MesonReader {
public:
  MesonReader(const std::string &build, MadeFiles &made) : build_(build), made_(made) {}

  void read(llvm::StringRef line) {
    llvm::StringRef value = line.ltrim();
    if (value.consume_front("COMMAND = ") && !isInternal_)
      llvm::append_range(made_.steps, stepsOf(valueOf(value), build_));
    if (value.consume_front("command = ")) // of a rule
      readTools(value);
    if (line.consume_front("build "))
      readEdge(edgeOf(line));
  }

  void finish() {
    for (const std::string &output : outputs_) {
      made_.add(output, build_);
      if (compiled_.contains(output))
        made_.sourceTargets.push_back(output);
    }
  }

private:
  /// The first word of each command, which may be left to PATH.
  void readTools(llvm::StringRef command) {
    llvm::SmallVector<llvm::StringRef, 4> parts;
    command.split(parts, "&&");
    for (llvm::StringRef part : parts)
      if (llvm::StringRef word = part.trim().split(' ').first;
          !word.contains('$') && llvm::sys::path::filename(word) != "meson")
        made_.tools.push_back(word.str());
  }

  static bool isObject(llvm::StringRef output) {
    return output.ends_with(".o") || output.ends_with(".obj") || output.ends_with(".pch") ||
           output.ends_with(".gch") || output.ends_with(".pcm");
  }

  void readEdge(const Edge &edge) {
    llvm::StringRef rule = edge.rule;
    constexpr llvm::StringLiteral kTests = "meson-test-prereq";
    if (llvm::is_contained(edge.outputs, kTests))
      made_.allTargets = {"all", kTests.str()};
    auto isHidden = [](llvm::StringRef output) { return output.starts_with("meson-internal__"); };
    isInternal_ = llvm::any_of(edge.outputs, isHidden);
    if (isInternal_ || rule == "phony" || rule == "REGENERATE_BUILD" || rule == "SHSYM")
      return;
    bool isCustom = rule.starts_with("CUSTOM_COMMAND");
    if (!isCustom && (rule.contains("_LINKER") || llvm::all_of(edge.outputs, isObject)))
      for (const std::string &input : edge.inputWords())
        compiled_.insert(input);
    else
      llvm::append_range(outputs_, edge.outputs);
  }

  const std::string &build_;
  MadeFiles &made_;
  /// The edge that is being read is of Meson itself, or a run_target: never a part of `all`.
  bool isInternal_ = false;
  std::vector<std::string> outputs_; ///< as ninja names them
  llvm::StringSet<> compiled_;       ///< what is compiled or linked, or has to be there before
};

} // namespace

void readNinjaFiles(const std::string &buildDirectory, MadeFiles &made) {
  if (!isMesonBuild(buildDirectory)) {
    CMakeReader reader(buildDirectory, made);
    forEachBuildLine(buildDirectory, [&](llvm::StringRef line) { reader.read(line); });
    return;
  }
  MesonReader reader(buildDirectory, made);
  forEachBuildLine(buildDirectory, [&](llvm::StringRef line) { reader.read(line); });
  reader.finish();
}

} // namespace retest
