#include "build/other_language.h"

#include "build/language.h"
#include "build/paths.h"
#include "build/source_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <map>
#include <optional>

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

std::vector<std::string> includedBy(llvm::StringRef text) {
  std::vector<std::string> names;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.contains_insensitive("include") || line.contains_insensitive("incbin"))
      llvm::append_range(names, quotedIn(line));
  return names;
}

/// Where a name of an included file leads: first beside the file that has it.
std::optional<std::string> findIncluded(llvm::StringRef name, llvm::StringRef includer,
                                        llvm::ArrayRef<std::string> directories) {
  std::string beside = absolutePath(llvm::sys::path::parent_path(includer), name);
  if (llvm::sys::fs::is_regular_file(beside))
    return beside;
  for (const std::string &directory : directories)
    if (std::string place = absolutePath(directory, name); llvm::sys::fs::is_regular_file(place))
      return place;
  return std::nullopt;
}

} // namespace

std::vector<std::string> quotedIn(llvm::StringRef text) {
  std::vector<std::string> names;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    // What stands between any two quotes: in `don't "x"` nobody knows which belong together.
    std::size_t open = line.find_first_of("\"'<>");
    for (std::size_t close; open != llvm::StringRef::npos; open = close) {
      close = line.find_first_of("\"'<>", open + 1);
      llvm::StringRef name = line.slice(open + 1, close).rtrim('\\');
      bool canBeName = !name.empty() && name.find_first_of(" \t;(){}=") == llvm::StringRef::npos;
      if (close != llvm::StringRef::npos && canBeName)
        names.push_back(name.str());
    }
  }
  return names;
}

namespace {

/// The source and what it includes, by name.
std::map<std::string, Fingerprint> filesOfOther(const CompileCommand &command,
                                                const ProjectPaths &paths) {
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
    bool isSource = path == command.file;
    llvm::StringRef text = (*file)->getBuffer();
    std::vector<std::string> included = isSource ? quotedIn(text) : includedBy(text);
    if (isSource)
      for (const std::string &argument : command.arguments)
        llvm::append_range(included, quotedIn(argument)); // -DTABLE="table.bin"
    for (const std::string &each : included)
      if (std::optional<std::string> place = findIncluded(each, path, directories))
        pending.push_back(*place);
  }
  return found;
}

} // namespace

Fingerprint contentOfSources(const CompileCommand &command, const ProjectPaths &paths) {
  std::map<std::string, Fingerprint> found = classify(command).kind == EntryKind::Unit
                                                 ? filesOfSource(command, paths)
                                                 : filesOfOther(command, paths);
  if (found.empty())
    return {};
  FingerprintBuilder hash;
  hash.add(commandFingerprint(command, paths));
  for (const auto &[name, content] : found)
    hash.add(llvm::StringRef(name)).add(content);
  return hash.finish();
}

} // namespace retest
