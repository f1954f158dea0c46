#include "build/command_line.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>

namespace retest {
namespace {

using Words = llvm::ArrayRef<std::string>;

bool isAssignment(llvm::StringRef word) {
  size_t equals = word.find('=');
  return equals != llvm::StringRef::npos && equals != 0 && !word.starts_with("-") &&
         !word.take_front(equals).contains('/');
}

Words dropAssignments(Words words) {
  return words.drop_while([](const std::string &word) { return isAssignment(word); });
}

/// `env [-i] [-u NAME] [--unset=NAME] [-C DIR] [A=b]... [--] command`; the options of
/// `cmake -E env` are among them.
Words dropEnvironment(Words words) {
  while (!words.empty()) {
    llvm::StringRef word = words.front();
    if (word == "--")
      return words.drop_front();
    if (word == "-u" || word == "-C")
      words = words.drop_front(std::min<size_t>(2, words.size()));
    else if (word.starts_with("-") || isAssignment(word))
      words = words.drop_front();
    else
      break;
  }
  return words;
}

Words afterDashes(Words words) {
  auto dashes = llvm::find(words, "--");
  return dashes == words.end() ? Words() : words.drop_front(dashes - words.begin() + 1);
}

bool isCachingLauncher(llvm::StringRef program) {
  static constexpr llvm::StringRef kNames[] = {"ccache",     "sccache", "distcc", "icecc",
                                               "buildcache", "gomacc",  "recc",   "icerun"};
  return llvm::is_contained(kNames, llvm::sys::path::filename(program));
}

/// The words behind one launcher; empty if the first word is none.
Words behindLauncher(Words words) {
  llvm::StringRef program = words.front();
  llvm::StringRef name = llvm::sys::path::filename(program);
  Words rest = words.drop_front();
  if (isCachingLauncher(program))
    return dropAssignments(rest); // ccache takes settings: `ccache base_dir=/src c++ ...`
  if (name == "env")
    return dropEnvironment(rest);
  if (name == "ctest" && !rest.empty() && rest[0] == "--launch")
    return afterDashes(rest);
  if (llvm::StringRef(name).starts_with("cmake") && rest.size() > 1 && rest[0] == "-E") {
    if (rest[1] == "env")
      return dropEnvironment(rest.drop_front(2));
    if (rest[1] == "time")
      return rest.drop_front(2);
    if (rest[1] == "__run_co_compile")
      return afterDashes(rest);
  }
  if (!isCompilerName(program) && !rest.empty() && isCompilerName(rest.front()))
    return rest;
  return {};
}

} // namespace

std::vector<std::string> splitCommand(llvm::StringRef command) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

std::vector<std::string> expandResponseFiles(llvm::ArrayRef<std::string> arguments,
                                             llvm::StringRef directory) {
  auto isResponseFile = [](llvm::StringRef word) { return word.starts_with("@"); };
  if (llvm::none_of(arguments, isResponseFile))
    return arguments.vec();
  llvm::BumpPtrAllocator memory;
  llvm::SmallVector<const char *, 64> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  llvm::cl::ExpansionContext context(memory, llvm::cl::TokenizeGNUCommandLine);
  context.setCurrentDir(directory);
  // It fails only for a file that names itself; what was expanded until then is kept. A file that
  // is not there stays as a word, which whoever loads the database reports.
  llvm::consumeError(context.expandResponseFiles(words));
  return {words.begin(), words.end()};
}

std::vector<std::string> withoutLaunchers(llvm::ArrayRef<std::string> arguments) {
  while (!arguments.empty()) {
    Words rest = behindLauncher(arguments);
    if (rest.empty())
      break;
    if (llvm::StringRef(rest.front()).starts_with("-")) { // `distcc -c a.c` calls cc
      std::vector<std::string> result = {"cc"};
      llvm::append_range(result, rest);
      return result;
    }
    arguments = rest;
  }
  return arguments.vec();
}

bool isToolName(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> bases) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  name = name.rtrim("0123456789.");
  if (name.ends_with("-"))
    name = name.drop_back();
  return llvm::any_of(bases, [&](llvm::StringRef base) {
    return name == base || (name.ends_with(base) && name.drop_back(base.size()).ends_with("-"));
  });
}

bool isCompilerName(llvm::StringRef program) {
  static constexpr llvm::StringRef kNames[] = {"cc",      "c++", "gcc",  "g++", "clang",
                                               "clang++", "icc", "icpc", "icx", "icpx"};
  return isToolName(program, kNames);
}

bool isLinkerName(llvm::StringRef program) {
  static constexpr llvm::StringRef kNames[] = {"ld",      "ld.bfd", "ld.gold", "ld.lld",
                                               "ld.mold", "mold",   "gold"};
  return isToolName(program, kNames);
}

bool isShellName(llvm::StringRef program) {
  static constexpr llvm::StringRef kNames[] = {"sh",   "bash", "dash", "ash",  "zsh",    "ksh",
                                               "mksh", "csh",  "tcsh", "fish", "busybox"};
  return llvm::is_contained(kNames, llvm::sys::path::filename(program));
}

} // namespace retest
