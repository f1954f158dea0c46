#include "build/compile_entries.h"
#include "build/command_line.h"
#include "build/paths.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// What is wrong with the file at `path`, and how to get a better one.
llvm::Error unusable(llvm::StringRef path, const std::string &why) {
  return error("{}: {}; `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON {}` writes it anew", path.str(),
               why, llvm::sys::path::parent_path(path).str());
}

llvm::Error damagedEntry(llvm::StringRef path, size_t number, const char *what) {
  return unusable(path, fmt::format("entry {} {}", number, what));
}

/// The words of "arguments" (preferred, as Clang does) or "command"; empty if there are none.
std::vector<std::string> argumentsOf(const llvm::json::Object &object) {
  std::vector<std::string> arguments;
  if (const llvm::json::Array *list = object.getArray("arguments")) {
    for (const llvm::json::Value &word : *list)
      arguments.push_back(word.getAsString().value_or("").str());
    return arguments;
  }
  return splitCommand(object.getString("command").value_or(""));
}

llvm::Expected<CompileEntry> readEntry(const llvm::json::Value &value, llvm::StringRef path,
                                       size_t number, llvm::StringRef buildDirectory) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return damagedEntry(path, number, "is not an object");
  auto file = object->getString("file");
  if (!file || file->empty())
    return damagedEntry(path, number, "has no \"file\"");
  CompileEntry entry;
  entry.directory = absolutePath(buildDirectory, object->getString("directory").value_or("."));
  entry.file = absolutePath(entry.directory, *file);
  if (auto output = object->getString("output"); output && !output->empty())
    entry.output = absolutePath(entry.directory, *output);
  entry.arguments = argumentsOf(*object);
  if (entry.arguments.empty())
    return damagedEntry(path, number, "has neither \"command\" nor \"arguments\"");
  return entry;
}

} // namespace

std::string compileDatabasePath(llvm::StringRef buildDirectory) {
  return joinPath(buildDirectory, "compile_commands.json");
}

llvm::Expected<std::vector<CompileEntry>> readCompileEntries(llvm::StringRef buildDirectory) {
  std::string path = compileDatabasePath(buildDirectory);
  if (!llvm::sys::fs::exists(path))
    return error("{}: no compile_commands.json here; "
                 "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON {}` writes one",
                 buildDirectory.str(), buildDirectory.str());
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return unusable(path, "cannot be read: " + text.getError().message());

  llvm::StringRef bytes = (*text)->getBuffer();
  bytes.consume_front("\xEF\xBB\xBF");
  auto json = llvm::json::parse(bytes);
  if (!json)
    return unusable(path, "not JSON: " + llvm::toString(json.takeError()));
  const llvm::json::Array *list = json->getAsArray();
  if (!list)
    return unusable(path, "not a compile database: a list of commands is expected");
  if (list->empty())
    return unusable(path, "the compile database is empty");

  std::string home = absolutePath(realPath("."), buildDirectory);
  std::vector<CompileEntry> entries;
  for (size_t i = 0; i < list->size(); ++i) {
    auto entry = readEntry((*list)[i], path, i + 1, home);
    if (!entry)
      return entry.takeError();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

} // namespace retest
