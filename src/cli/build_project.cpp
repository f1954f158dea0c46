#include "cli/build_project.h"

#include "build/build_targets.h"
#include "build/build_tool_files.h"
#include "build/cmake_cache.h"
#include "build/file_api_reply.h"
#include "build/made_files.h"
#include "build/meson_build.h"
#include "build/ninja_dry_run.h"
#include "build/paths.h"
#include "support/error.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>

#include <set>
#include <unistd.h>

namespace retest {

namespace {

/// The end of what a build says, where the reason is. A build that goes on after an error (ninja
/// -k) says much: the lines with errors count more, but only the tool's own words are to be
/// trusted.
std::string lastLines(llvm::StringRef text) {
  constexpr std::size_t kMost = 40;
  llvm::SmallVector<llvm::StringRef, 64> lines;
  text.trim('\n').split(lines, '\n');
  if (lines.size() > kMost)
    lines.erase(lines.begin(), lines.end() - kMost);
  return llvm::join(lines, "\n");
}

std::vector<std::string> cmakeCommand(const ProjectPaths &paths, unsigned jobs,
                                      llvm::ArrayRef<std::string> targets) {
  std::vector<std::string> command = {"cmake", "--build", paths.build};
  if (jobs != 0)
    command.insert(command.end(), {"--parallel", std::to_string(jobs)});
  else
    command.push_back("--parallel");
  if (!targets.empty())
    command.push_back("--target");
  llvm::append_range(command, targets);
  return command;
}

std::vector<std::string> ninjaCommand(const ProjectPaths &paths, unsigned jobs,
                                      llvm::ArrayRef<std::string> targets) {
  std::vector<std::string> command = {ninjaProgram(paths.build), "-C", paths.build};
  if (jobs != 0)
    command.insert(command.end(), {"-j", std::to_string(jobs)});
  llvm::append_range(command, targets);
  return command;
}

llvm::Error runBuild(const std::vector<std::string> &command, const ProjectPaths &paths,
                     Context &context) {
  std::string output;
  int exitCode = 0;
  if (!context.options.isQuiet && &context.err == &llvm::errs() && isatty(STDERR_FILENO)) {
    // The build tool knows best how to show its progress.
    llvm::Expected<ChildProcess> child =
        ChildProcess::start({command, {}, {}, -1, STDERR_FILENO, STDERR_FILENO});
    if (!child)
      return child.takeError();
    ChildEnd end = child->reap();
    exitCode = end.signal != 0 ? 128 + end.signal : end.exitCode;
  } else {
    llvm::Expected<ProcessResult> result = runProcess({.arguments = command});
    if (!result)
      return result.takeError();
    exitCode = result->exitCode;
    output = "\n" + lastLines(result->output + result->errors);
  }
  if (exitCode == 0)
    return llvm::Error::success();
  return error(ErrorKind::Build, "{}: the build failed; nothing was run or recorded{}", paths.build,
               output);
}

} // namespace

bool canBuild(const ProjectPaths &paths) {
  return cmakeCacheEntry(paths.build, "CMAKE_HOME_DIRECTORY").has_value() ||
         isMesonBuild(paths.build);
}

namespace {

bool isBuiltByNinja(const ProjectPaths &paths) {
  // Of several configurations ninja builds but one.
  return isMesonBuild(paths.build) || cmakeCacheEntry(paths.build, "CMAKE_GENERATOR") == "Ninja";
}

/// With ninja the build itself tells which targets there are; with make only CMake's reply does,
/// and in a directory that somebody else has configured nobody has asked for it.
llvm::Error askForTargets(const ProjectPaths &paths, Context &context) {
  if (isBuiltByNinja(paths) || isAskedForReply(paths.build))
    return llvm::Error::success();
  if (llvm::Error failed = askForReply(paths.build))
    return failed;
  return runBuild({"cmake", paths.build}, paths, context);
}

} // namespace

llvm::Error buildProject(const ProjectPaths &paths, unsigned jobs, Context &context,
                         llvm::ArrayRef<std::string> targets) {
  if (!canBuild(paths)) {
    context.detail(paths.build + ": neither CMake's nor Meson's, so it is taken as it is");
    return llvm::Error::success();
  }
  if (llvm::Error failed = askForTargets(paths, context))
    return failed;
  return runBuild(isMesonBuild(paths.build) // which targets are enough is known of CMake alone
                      ? ninjaCommand(paths, jobs, readMadeFiles(paths.build).allTargets)
                      : cmakeCommand(paths, jobs, targets),
                  paths, context);
}

namespace {

/// The targets of CMake that make the binaries that are there; nothing if CMake has not told who
/// makes each of them.
std::optional<std::vector<std::string>> targetsFor(const ProjectPaths &paths,
                                                   const LinkPlan &links) {
  std::set<std::string> there;
  for (const Binary &binary : links.binaries)
    if (llvm::sys::fs::exists(paths.pathOf(binary.name)))
      there.insert(binary.name);
  llvm::Expected<BuildTargets> targets = readBuildTargets(paths);
  if (!targets) {
    llvm::consumeError(targets.takeError());
    return std::nullopt;
  }
  ChosenTargets chosen = targetsMaking(*targets, there);
  if (!chosen.unknown.empty())
    return std::nullopt;
  return std::move(chosen.names);
}

/// Those of ninja.
llvm::Expected<std::vector<std::string>> ninjaTargetsFor(const ProjectPaths &paths,
                                                         const LinkPlan &links) {
  llvm::StringMap<std::string> known = ninjaTargets(ninjaProgram(paths.build), paths.build);
  if (known.empty())
    return error(ErrorKind::Build, "{}: ninja does not tell what it can make", paths.build);
  std::vector<std::string> targets;
  for (const Binary &binary : links.binaries) {
    std::string path = paths.pathOf(binary.name);
    auto name = known.find(withRealParent(path));
    if (name != known.end() && llvm::sys::fs::exists(path)) // others are made by commands of `all`
      targets.push_back(name->second);
  }
  return targets;
}

} // namespace

bool canBuildOthers(const ProjectPaths &paths, const LinkPlan &links) {
  return canBuild(paths) && (isBuiltByNinja(paths) || targetsFor(paths, links).has_value());
}

llvm::Error buildOthers(const ProjectPaths &paths, const LinkPlan &links, unsigned jobs,
                        Context &context) {
  if (!canBuild(paths) || links.binaries.empty())
    return llvm::Error::success();
  const bool isNinja = isBuiltByNinja(paths);
  llvm::Expected<std::vector<std::string>> targets =
      isNinja ? ninjaTargetsFor(paths, links)
              : targetsFor(paths, links).value_or(std::vector<std::string>());
  if (!targets)
    return targets.takeError();
  constexpr std::size_t kMost = 2000; // of one command
  for (llvm::ArrayRef<std::string> rest = *targets; !rest.empty();
       rest = rest.drop_front(std::min(kMost, rest.size())))
    if (llvm::Error failed =
            runBuild((isNinja ? ninjaCommand : cmakeCommand)(paths, jobs, rest.take_front(kMost)),
                     paths, context))
      return llvm::joinErrors(std::move(failed),
                              error(ErrorKind::Build,
                                    "what failed is not part of `all`, but there is an older one, "
                                    "which tests may run; mend it, or remove what it makes"));
  return llvm::Error::success();
}

} // namespace retest
