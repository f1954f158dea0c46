#include "build/build_tool_files.h"

#include "build/cmake_cache.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "support/child_process.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

using TakeLine = llvm::function_ref<void(llvm::StringRef)>;

void readLines(const std::string &path, TakeLine take) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return;
  for (llvm::StringRef text = (*file)->getBuffer(); !text.empty();) {
    auto [line, rest] = text.split('\n');
    take(line);
    text = rest;
  }
}

/// With the files that it includes: the rules, and with several configurations one for each.
void readNinjaFile(const std::string &path, const std::string &build, TakeLine take) {
  readLines(path, [&](llvm::StringRef line) {
    if (line.consume_front("include "))
      readNinjaFile(absolutePath(build, line), build, take);
    else
      take(line);
  });
}

/// Of each target.
void readMakefiles(const std::string &build, TakeLine take) {
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator each(build, code), end; each != end && !code;
       each.increment(code))
    if (llvm::sys::path::filename(each->path()) == "build.make")
      readLines(each->path(), take);
}

} // namespace

BuildTool buildToolOf(const std::string &buildDirectory) {
  if (isMesonBuild(buildDirectory) &&
      llvm::sys::fs::exists(joinPath(buildDirectory, "build.ninja")))
    return BuildTool::Ninja;
  std::string generator = cmakeCacheEntry(buildDirectory, "CMAKE_GENERATOR").value_or("");
  if (llvm::StringRef(generator).starts_with("Ninja"))
    return BuildTool::Ninja;
  return llvm::StringRef(generator).ends_with("Makefiles") ? BuildTool::Make : BuildTool::Other;
}

std::string ninjaProgram(const std::string &buildDirectory) {
  if (auto program = cmakeCacheEntry(buildDirectory, "CMAKE_MAKE_PROGRAM"))
    if (llvm::sys::fs::can_execute(*program))
      return *program;
  for (const char *name : {"ninja", "ninja-build", "samu"})
    if (auto program = findProgram(name))
      return *program;
  return "ninja";
}

std::string ninjaName(llvm::StringRef path, llvm::StringRef buildDirectory) {
  return isWithin(path, buildDirectory) ? partBelow(path, buildDirectory).str() : path.str();
}

void forEachBuildLine(const std::string &buildDirectory, TakeLine take) {
  switch (buildToolOf(buildDirectory)) {
  case BuildTool::Ninja:
    return readNinjaFile(joinPath(buildDirectory, "build.ninja"), buildDirectory, take);
  case BuildTool::Make:
    return readMakefiles(buildDirectory, take);
  case BuildTool::Other:
    return;
  }
}

} // namespace retest
