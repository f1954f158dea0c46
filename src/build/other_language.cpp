#include "build/other_language.h"

#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Regex.h>

#include <map>

namespace retest {
namespace {

/// The directories that a command names, in order.
std::vector<std::string> includeDirectories(const CompileCommand &command) {
  std::vector<std::string> directories = {command.directory};
  for (std::size_t i = 1; i < command.arguments.size(); ++i)
    for (llvm::StringRef flag : {"-I", "-iquote", "-isystem", "-idirafter"}) {
      llvm::StringRef word = command.arguments[i];
      if (!word.consume_front(flag))
        continue;
      if (word.empty() && i + 1 < command.arguments.size())
        word = command.arguments[i + 1];
      directories.push_back(absolutePath(command.directory, word));
      break;
    }
  return directories;
}

std::vector<std::string> includesIn(llvm::StringRef text) {
  static const llvm::Regex kInclude(
      "^[ \t]*(#[ \t]*include|\\.include|\\.incbin|include)[ \t]*[\"<']([^\">']+)[\">']");
  std::vector<std::string> names;
  llvm::SmallVector<llvm::StringRef> lines, match;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (kInclude.match(line, &match))
      names.push_back(match[2].str());
  return names;
}

} // namespace

Fingerprint contentOfSources(const CompileCommand &command, const ProjectPaths &paths) {
  std::vector<std::string> directories = includeDirectories(command);
  std::map<std::string, Fingerprint> found; // by name
  std::vector<std::string> pending = {command.file};
  while (!pending.empty()) {
    std::string path = std::move(pending.back());
    pending.pop_back();
    std::string name = paths.nameOf(path);
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file || llvm::StringRef(name).starts_with("/") ||
        !found.try_emplace(name, fingerprintOf((*file)->getBuffer())).second)
      continue;
    for (const std::string &included : includesIn((*file)->getBuffer())) {
      std::string beside = absolutePath(llvm::sys::path::parent_path(path), included);
      std::vector<std::string> places = {beside};
      for (const std::string &directory : directories)
        places.push_back(absolutePath(directory, included));
      auto exists = llvm::find_if(
          places, [](const std::string &place) { return llvm::sys::fs::is_regular_file(place); });
      if (exists != places.end())
        pending.push_back(*exists);
    }
  }
  if (found.empty())
    return {};
  FingerprintBuilder hash;
  hash.add(commandFingerprint(command, paths));
  for (const auto &[name, content] : found)
    hash.add(llvm::StringRef(name)).add(content);
  return hash.finish();
}

} // namespace retest
