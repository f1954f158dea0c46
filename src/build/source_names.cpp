#include "build/source_names.h"

#include "build/paths.h"
#include "support/file_state.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace retest {
namespace {

namespace fs = llvm::sys::fs;

bool isSource(llvm::StringRef path) {
  static const llvm::StringSet<> kEndings = {".c", ".cc", ".cpp", ".cxx", ".c++", ".cppm", ".ixx",
                                             ".C", ".s",  ".S",   ".asm", ".cu",  ".m",    ".mm"};
  return kEndings.contains(llvm::sys::path::extension(path));
}

/// When CMake ran last: it writes these each time.
std::int64_t configuredAt(const std::string &build) {
  std::int64_t latest = 0;
  for (const char *name : {"CMakeFiles/cmake.check_cache", "build.ninja", "Makefile"})
    if (std::optional<FileStamp> stamp = stampOf(joinPath(build, name)))
      latest = std::max(latest, stamp->modified);
  return latest;
}

/// Whether one of the files that the compile database names is gone.
bool isSourceGone(llvm::StringRef database) {
  while (!database.empty()) {
    auto [line, rest] = database.split('\n');
    database = rest;
    line = line.trim();
    if (line.consume_front("\"file\": \"") && line.starts_with("/") && !line.contains('\\') &&
        !fs::exists(line.split('"').first))
      return true;
  }
  return false;
}

/// The directories below one, itself included, in which CMake may look for sources.
void addDirectories(const std::string &directory, const ProjectPaths &paths,
                    std::vector<std::string> &found) {
  std::error_code code;
  std::vector<std::string> below;
  for (fs::directory_iterator each(directory, code, /*follow_symlinks=*/false), end;
       each != end && !code; each.increment(code)) {
    if (each->type() != fs::file_type::directory_file) {
      if (llvm::sys::path::filename(each->path()) == "CMakeCache.txt" && directory != paths.root)
        return; // another build
    } else if (!llvm::sys::path::filename(each->path()).starts_with(".") &&
               each->path() != paths.build) {
      below.push_back(each->path());
    }
  }
  found.push_back(directory);
  for (const std::string &each : below)
    addDirectories(each, paths, found);
}

bool hasNewSource(const std::string &directory, std::int64_t since, llvm::StringRef database) {
  std::error_code code;
  for (fs::directory_iterator each(directory, code), end; each != end && !code;
       each.increment(code)) {
    if (!isSource(each->path()) || database.contains("\"" + each->path() + "\""))
      continue;
    std::optional<FileStamp> stamp = stampOf(each->path());
    if (stamp && stamp->changed > since)
      return true;
  }
  return false;
}

} // namespace

bool haveSourceNamesChanged(const ProjectPaths &paths) {
  auto file = llvm::MemoryBuffer::getFile(joinPath(paths.build, "compile_commands.json"));
  std::int64_t since = configuredAt(paths.build);
  if (!file || since == 0)
    return false;
  llvm::StringRef database = (*file)->getBuffer();
  if (isSourceGone(database))
    return true;
  std::vector<std::string> directories;
  addDirectories(paths.root, paths, directories);
  return std::any_of(directories.begin(), directories.end(), [&](const std::string &directory) {
    std::optional<FileStamp> stamp = stampOf(directory);
    return stamp && stamp->modified > since && hasNewSource(directory, since, database);
  });
}

} // namespace retest
