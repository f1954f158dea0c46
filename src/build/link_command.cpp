#include "build/link_command.h"
#include "build/command_line.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace retest {
namespace {

using Words = std::vector<std::string>;

/// The commands of a line. Their separators are words of their own in what CMake and meson write.
std::vector<Words> commandsIn(llvm::StringRef line) {
  std::vector<Words> commands(1);
  for (std::string &word : splitCommand(line)) {
    if (word == "&&" || word == "||" || word == ";" || word == "|")
      commands.emplace_back();
    else
      commands.back().push_back(std::move(word));
  }
  llvm::erase_if(commands, [](const Words &words) { return words.empty(); });
  return commands;
}

/// Commands that neither link nor hand an object on under another name.
bool isHarmless(const Words &words) {
  static constexpr llvm::StringRef kNames[] = {":",  "true",  "cmake", "ranlib",
                                               "rm", "touch", "mkdir", "echo"};
  static constexpr llvm::StringRef kRenaming[] = {"copy", "copy_if_different", "rename",
                                                  "create_symlink", "create_hardlink"};
  if (!isToolName(words.front(), kNames))
    return false;
  return words.size() < 3 || words[1] != "-E" || !llvm::is_contained(kRenaming, words[2]);
}

bool isDriver(llvm::StringRef program, const llvm::StringSet<> &drivers) {
  static constexpr llvm::StringRef kNames[] = {"gfortran", "flang", "mpicc", "mpicxx", "mpic++"};
  return isCompilerName(program) || isToolName(program, kNames) || drivers.contains(program);
}

bool isCompilation(const Words &words) {
  static constexpr llvm::StringRef kOptions[] = {"-c",        "-S", "-E",  "-fsyntax-only",
                                                 "-emit-pch", "-M", "-MM", "--precompile"};
  return llvm::any_of(words,
                      [](const std::string &word) { return llvm::is_contained(kOptions, word); });
}

/// `ar qc libx.a a.o b.o`, `ar -rcs libx.a a.o`, `llvm-ar --thin qc ...`.
std::optional<LinkCommand> parseArchive(const Words &arguments, llvm::StringRef directory) {
  Words words = expandResponseFiles(llvm::ArrayRef(arguments).drop_front(), directory);
  llvm::ArrayRef<std::string> rest = words;
  while (!rest.empty() && llvm::StringRef(rest.front()).starts_with("--"))
    rest = rest.drop_front(rest.front() == "--plugin" && rest.size() > 1 ? 2 : 1);
  if (rest.size() < 2 || rest.front().find_first_of("rq") == std::string::npos)
    return std::nullopt;
  LinkCommand link;
  link.directory = directory.str();
  link.kind = BinaryKind::Archive;
  link.output = absolutePath(directory, rest[1]);
  for (const std::string &member : rest.drop_front(2))
    link.inputs.push_back({LinkWord::Kind::File, absolutePath(directory, member)});
  return link;
}

void addArchive(LinkLine &result, LinkCommand archive) {
  for (LinkCommand &earlier : result.links)
    if (earlier.output == archive.output) {
      llvm::append_range(earlier.inputs, archive.inputs);
      return;
    }
  result.links.push_back(std::move(archive));
}

/// `cmake -E cmake_symlink_library libx.so.1.2 libx.so.1 libx.so`: the file, then its links.
void readSymlinks(LinkLine &result, const Words &words, llvm::StringRef directory) {
  if (words.size() < 5 || words[1] != "-E" ||
      (words[2] != "cmake_symlink_library" && words[2] != "cmake_symlink_executable"))
    return;
  for (size_t i = 4; i < words.size(); ++i)
    if (words[i] != words[3])
      result.aliases.push_back(
          {absolutePath(directory, words[i]), absolutePath(directory, words[3])});
}

void readCommand(LinkLine &result, const Words &written, llvm::StringRef directory,
                 const llvm::StringSet<> &drivers) {
  Words words = withoutLaunchers(written);
  llvm::StringRef program = words.front();
  if (isToolName(program, {"ar"})) {
    if (auto archive = parseArchive(words, directory))
      addArchive(result, std::move(*archive));
    else
      result.unknown.push_back(std::move(words));
  } else if (isLinkerName(program) || isDriver(program, drivers)) {
    if (!isLinkerName(program) && isCompilation(words)) {
      if (llvm::is_contained(words, "-c"))
        result.compilations.push_back({directory.str(), "", "", std::move(words)});
      return;
    }
    LinkCommand link = parseDriverLink(words, directory);
    if (!link.output.empty() && !link.inputs.empty())
      result.links.push_back(std::move(link));
    else if (!link.inputs.empty())
      result.unknown.push_back(std::move(words));
  } else if (isHarmless(words)) {
    readSymlinks(result, words, directory);
  } else {
    result.unknown.push_back(std::move(words));
  }
}

} // namespace

LinkLine parseLinkLine(llvm::StringRef line, llvm::StringRef directory,
                       const llvm::StringSet<> &drivers) {
  LinkLine result;
  std::string current = directory.str();
  for (const Words &words : commandsIn(line)) {
    if (words.front() == "cd" && words.size() == 2)
      current = absolutePath(current, words[1]);
    else
      readCommand(result, words, current, drivers);
  }
  return result;
}

} // namespace retest
