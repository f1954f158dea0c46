#include "build/build_steps.h"

#include "build/paths.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>

namespace retest {
namespace {

using Words = llvm::ArrayRef<llvm::StringRef>;

llvm::StringRef fileName(llvm::StringRef path) {
  return llvm::sys::path::filename(path.rtrim('/'));
}

/// Whether a shell makes something else of it than a word. One that was quoted counts as well.
bool isSpecial(llvm::StringRef word) {
  return word.find_first_of("|;<>&`$()*?[]{}#!~") != llvm::StringRef::npos;
}

/// Discovery has words with anything else in them.
bool isRedirection(llvm::StringRef word) {
  return word == ";" || word == "|" || word == "||" || word == "&" || word.starts_with(">") ||
         word.starts_with("1>") || word.starts_with("2>");
}

class StepReader {
public:
  explicit StepReader(std::string directory) : directory_(std::move(directory)) {}

  void read(Words words) {
    if (words.empty() || (words.size() == 1 && (words[0] == ":" || words[0] == "true")) ||
        isDiscovery(words))
      return;
    BuildStep step{llvm::join(words, " "), /*isOpaque=*/true};
    if (llvm::none_of(words, isSpecial)) {
      if (words.front() == "cd" && words.size() == 2) {
        directory_ = realPath(absolutePath(directory_, words[1]));
        return;
      }
      if (words.front() == "echo" || isCMake(words, "echo") || isCMake(words, "cmake_echo_color"))
        return;
      step.isOpaque = isLost_ || !understand(words, step.copies);
      if (step.isOpaque)
        step.copies.clear();
    }
    isLost_ |= words.front() == "cd";
    steps.push_back(std::move(step));
  }

  std::vector<BuildStep> steps;

private:
  /// The project may be reached through a link; what is made may be one.
  std::string pathOf(llvm::StringRef word) const {
    return withRealParent(absolutePath(directory_, word.size() > 1 ? word.rtrim('/') : word));
  }

  /// By one of the modules that find the tests of a program behind its link.
  static bool isDiscovery(Words words) {
    static const llvm::StringSet<> kScripts = {"GoogleTestAddTests.cmake", "CatchAddTests.cmake",
                                               "doctestAddTests.cmake"};
    return llvm::none_of(words, isRedirection) &&
           llvm::any_of(words,
                        [](llvm::StringRef word) { return kScripts.contains(fileName(word)); }) &&
           llvm::any_of(words, [](llvm::StringRef word) {
             word.consume_front("-D");
             return word.starts_with("TEST_EXECUTABLE=");
           });
  }

  static bool isCMake(Words words, llvm::StringRef command) {
    return words.size() > 2 && fileName(words[0]).starts_with("cmake") && words[1] == "-E" &&
           words[2] == command;
  }

  bool understand(Words words, std::vector<BuildCopy> &copies) const {
    if (isCMake(words, "copy") || isCMake(words, "copy_if_different"))
      return copyTo(words.drop_front(3), /*intoTree=*/false, copies);
    if (isCMake(words, "copy_directory") || isCMake(words, "copy_directory_if_different"))
      return copyTo(words.drop_front(3), /*intoTree=*/true, copies);
    if (isCMake(words, "make_directory")) {
      for (llvm::StringRef word : words.drop_front(3))
        copies.push_back({"", pathOf(word)});
      return true;
    }
    if (fileName(words.front()) != "cp")
      return false;
    Words rest = words.drop_front();
    while (!rest.empty() && rest.front().starts_with("-")) {
      if (rest.front().drop_front().find_first_not_of("afprRuv") != llvm::StringRef::npos)
        return false;
      rest = rest.drop_front();
    }
    return copyTo(rest, /*intoTree=*/false, copies);
  }

  /// `intoTree`: what is in the sources goes to the target, and not they themselves.
  bool copyTo(Words words, bool intoTree, std::vector<BuildCopy> &copies) const {
    if (words.size() < 2 || llvm::any_of(words, [](llvm::StringRef word) {
          return word.starts_with("-") || fileName(word) == "." || fileName(word) == "..";
        }))
      return false;
    std::string to = pathOf(words.back());
    Words sources = words.drop_back();
    for (llvm::StringRef source : sources) {
      std::string from = pathOf(source);
      bool isTree = intoTree || llvm::sys::fs::is_directory(from);
      if (intoTree || sources.size() == 1)
        copies.push_back({from, to, isTree});
      if (!intoTree)
        copies.push_back({from, joinPath(to, fileName(from)), isTree});
    }
    return true;
  }

  std::string directory_;
  bool isLost_ = false; ///< nobody knows where it goes on
};

} // namespace

std::vector<BuildStep> stepsOf(llvm::StringRef line, const std::string &directory) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 64> tokens;
  llvm::cl::TokenizeGNUCommandLine(line, saver, tokens);
  StepReader reader(directory);
  llvm::SmallVector<llvm::StringRef, 16> words;
  for (const char *token : tokens) {
    if (llvm::StringRef(token) != "&&") {
      words.push_back(token);
      continue;
    }
    reader.read(words);
    words.clear();
  }
  reader.read(words);
  return std::move(reader.steps);
}

} // namespace retest
