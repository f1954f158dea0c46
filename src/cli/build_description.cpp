#include "cli/build_description.h"

#include "build/build_tool_files.h"
#include "build/cmake_cache.h"
#include "build/file_names.h"
#include "build/meson_build.h"
#include "cli/tree.h"
#include "support/error.h"
#include "support/file_state.h"
#include "support/process.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <future>

namespace retest {

namespace {

/// The target of the build tool that does it; none if it is not known.
std::optional<std::string> targetOf(llvm::StringRef generator) {
  if (generator == "Ninja")
    return "build.ninja";
  if (generator == "Unix Makefiles")
    return "cmake_check_build_system";
  return std::nullopt;
}

std::string namesPath(const ProjectPaths &paths) { return stateDirectory(paths) + "/file-names"; }

/// Whether CMake or Meson has seen the project with these files.
bool isConfiguredFor(Fingerprint names, const ProjectPaths &paths) {
  auto file = llvm::MemoryBuffer::getFile(namesPath(paths));
  return file && (*file)->getBuffer().trim() == toHex(names);
}

/// Whether CMake or Meson made the directory: what it did may depend on which files there are.
bool isConfigured(const ProjectPaths &paths) {
  return cmakeCacheEntry(paths.build, "CMAKE_GENERATOR") || isMesonBuild(paths.build);
}

/// Lets CMake or Meson run.
std::vector<std::string> configureCommand(const ProjectPaths &paths) {
  if (auto source = mesonSource(paths.build))
    return {"meson", "setup", "--reconfigure", paths.build, *source};
  return {cmakeCacheEntry(paths.build, "CMAKE_COMMAND").value_or("cmake"), paths.build};
}

/// Lets the build tool see to it; nothing if it is not known how.
std::optional<std::vector<std::string>> checkCommand(const ProjectPaths &paths) {
  if (isMesonBuild(paths.build))
    return {{ninjaProgram(paths.build), "build.ninja"}};
  std::optional<std::string> target =
      targetOf(cmakeCacheEntry(paths.build, "CMAKE_GENERATOR").value_or(""));
  std::optional<std::string> tool = cmakeCacheEntry(paths.build, "CMAKE_MAKE_PROGRAM");
  if (!target || !tool)
    return std::nullopt;
  return {{*tool, *target}};
}

llvm::Error configureAgain(const ProjectPaths &paths, bool inAnyCase) {
  if (!isConfigured(paths))
    return llvm::Error::success();
  std::optional<std::vector<std::string>> check = checkCommand(paths);
  std::vector<std::string> command = check && !inAnyCase ? *check : configureCommand(paths);
  llvm::Expected<ProcessResult> result =
      runProcess({.arguments = std::move(command), .directory = paths.build});
  if (!result)
    return result.takeError();
  if (result->succeeded())
    return llvm::Error::success();
  llvm::StringRef said = result->errors.empty() ? result->output : result->errors;
  return error("{}: cannot be configured again: {}", paths.build, said.trim().str());
}

/// The short way: ninja looks at its description first, whatever it is asked for. Nothing if that
/// does not do, or the description is another one now.
std::optional<MadeFiles> makeSourcesAtOnce(const ProjectPaths &paths,
                                           llvm::ArrayRef<std::string> inputs) {
  MadeFiles made = readMadeFiles(paths.build);
  const std::string description = paths.build + "/build.ninja";
  std::optional<FileStamp> before = stampOf(description);
  if (sourcesToMake(made, paths, inputs).empty())
    return std::nullopt;
  if (llvm::Error failed = makeSources(made, paths, inputs)) {
    llvm::consumeError(std::move(failed)); // the long way tells better why
    return std::nullopt;
  }
  if (stampOf(description) != before)
    return std::nullopt;
  return made;
}

} // namespace

void rememberFileNames(Fingerprint names, const ProjectPaths &paths) {
  createStateDirectory(stateDirectory(paths));
  std::error_code failed; // then CMake runs once more
  llvm::raw_fd_ostream file(namesPath(paths), failed);
  if (!failed)
    file << toHex(names) << '\n';
  file.clear_error();
}

namespace {

/// Files that came or went are a reason for CMake and Meson, whatever the build tool says.
llvm::Error configureForNames(Fingerprint names, const ProjectPaths &paths) {
  if (llvm::Error failed = configureAgain(paths, /*inAnyCase=*/true))
    return failed;
  rememberFileNames(names, paths);
  return llvm::Error::success();
}

bool hasOtherFiles(Fingerprint names, const ProjectPaths &paths) {
  return isConfigured(paths) && !isConfiguredFor(names, paths);
}

} // namespace

llvm::Error updateBuildDescription(const ProjectPaths &paths) {
  Fingerprint names = fileNamesOf(paths);
  return hasOtherFiles(names, paths) ? configureForNames(names, paths)
                                     : configureAgain(paths, /*inAnyCase=*/false);
}

llvm::Expected<MadeFiles>
updateBuildDirectory(const ProjectPaths &paths,
                     llvm::function_ref<std::vector<std::string>()> inputs) {
  // The build tool takes its time to answer, and so do the names.
  auto names = std::async(std::launch::async, [&] { return fileNamesOf(paths); });
  const std::vector<std::string> read = inputs();
  std::optional<MadeFiles> made = makeSourcesAtOnce(paths, read);
  llvm::Error failed = made ? llvm::Error::success() : configureAgain(paths, /*inAnyCase=*/false);
  if (Fingerprint now = names.get(); hasOtherFiles(now, paths)) {
    made.reset();
    llvm::consumeError(std::move(failed));
    failed = configureForNames(now, paths);
  }
  if (failed)
    return failed;
  if (made)
    return std::move(*made);
  made = readMadeFiles(paths.build);
  if (llvm::Error unmade = makeSources(*made, paths, read))
    return unmade;
  return std::move(*made);
}

} // namespace retest
