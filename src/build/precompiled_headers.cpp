#include "build/precompiled_headers.h"

#include "build/paths.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace retest {
namespace {

constexpr llvm::StringLiteral kClang = ".pch", kGcc = ".gch";

/// The word that follows an option, or is joined to it; nothing if `i` is not at the option.
std::optional<std::string> valueAt(const std::vector<std::string> &arguments, std::size_t i,
                                   llvm::StringRef option) {
  llvm::StringRef word = arguments[i];
  if (word == option && i + 1 < arguments.size())
    return arguments[i + 1];
  if (word.consume_front(option) && !word.empty())
    return word.str();
  return std::nullopt;
}

/// Whether the extraction finds out by itself: CMake keeps the source beside what is made of it, or
/// names both.
bool isEvident(const CompileCommand &command, llvm::StringRef made) {
  made.consume_back(kClang) || made.consume_back(kGcc);
  return llvm::is_contained(command.arguments, made) ||
         llvm::sys::fs::exists(absolutePath(command.directory, made));
}

} // namespace

void PrecompiledHeaders::add(const CompileCommand &command) {
  llvm::StringRef made = command.object;
  if (made.ends_with(kClang) || made.ends_with(kGcc))
    sources_[made] = command.file;
}

llvm::Error PrecompiledHeaders::resolve(CompileCommand &command) const {
  std::vector<std::string> &arguments = command.arguments;
  std::vector<std::string> directories;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (auto directory = valueAt(arguments, i, "-I"))
      directories.push_back(absolutePath(command.directory, *directory));
  auto sourceOf = [&](llvm::StringRef option, llvm::StringRef value) -> std::string {
    if (option == "-include-pch")
      return sources_.lookup(absolutePath(command.directory, value));
    for (const std::string &directory : directories)
      if (auto known = sources_.find(joinPath(directory, (value + kGcc).str()));
          known != sources_.end())
        return known->second;
    return "";
  };
  for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
    llvm::StringRef option = arguments[i];
    if (option != "-include-pch" && option != "-include")
      continue;
    bool isPassedOn = arguments[i - 1] == "-Xclang";
    std::size_t value = i + 1 + (isPassedOn && arguments[i + 1] == "-Xclang" ? 1 : 0);
    if (value >= arguments.size())
      break;
    if (std::string source = sourceOf(option, arguments[value]); !source.empty()) {
      if (isPassedOn)
        continue; // of CMake, which keeps the source beside
      arguments[i] = "-include";
      arguments[value] = source;
    } else if (option == "-include-pch" && !isEvident(command, arguments[value])) {
      return error("{}: includes {}, and it is not known what that precompiled header is made "
                   "from; build without precompiled headers",
                   command.file, arguments[value]);
    }
  }
  return llvm::Error::success();
}

} // namespace retest
