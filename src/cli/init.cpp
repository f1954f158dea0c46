#include "build/coverage_build.h"
#include "build/file_names.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "build/work_tree.h"
#include "cli/build_description.h"
#include "cli/commands.h"
#include "cli/configuration.h"
#include "support/error.h"
#include "support/process.h"

#include <fmt/ranges.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>

namespace retest {

namespace {

struct InitOptions {
  std::string directory; ///< empty: as the configuration says, or the usual one
  bool isGcc = false;
  bool isMeson = false; ///< though there may be a CMakeLists.txt
  std::vector<std::string> arguments;
};

/// The end of what CMake said: the reason stands there.
std::string lastLines(llvm::StringRef text, unsigned count) {
  llvm::SmallVector<llvm::StringRef, 64> lines;
  text.trim('\n').split(lines, '\n');
  if (lines.size() > count)
    lines.erase(lines.begin(), lines.end() - count);
  return llvm::join(lines, "\n");
}

constexpr char kUsualDirectory[] = "build-retest";

/// What was typed, or a variable says, belongs to where we are; else it is the project's.
llvm::Expected<std::string> directoryFor(const InitOptions &options, llvm::StringRef here,
                                         const std::string &source, const Context &context) {
  if (!options.directory.empty())
    return absolutePath(here, options.directory);
  llvm::Expected<std::string> chosen =
      configuredBuild(workTreeOf(source).value_or(source), context);
  if (!chosen)
    return chosen.takeError();
  return chosen->empty() ? absolutePath(source, kUsualDirectory) : absolutePath(here, *chosen);
}

/// What the project is described by; CMake if there is both.
llvm::Expected<std::pair<std::string, ProjectTool>> findDescription(const std::string &here,
                                                                    const InitOptions &options) {
  if (!options.isMeson)
    if (auto source = findCMakeProject(here))
      return std::pair(*source, ProjectTool::CMake);
  if (auto source = findMesonProject(here))
    return std::pair(*source, ProjectTool::Meson);
  return error("{}: no {} here or above; `retest init` knows CMake and Meson projects", here,
               options.isMeson ? "meson.build" : "CMakeLists.txt or meson.build");
}

llvm::Expected<CoverageBuild> plannedBuild(const InitOptions &options, const Context &context) {
  llvm::SmallString<256> here;
  if (std::error_code failed = llvm::sys::fs::current_path(here))
    return error("the current directory: {}", failed.message());
  llvm::Expected<std::pair<std::string, ProjectTool>> project =
      findDescription(realPath(here), options);
  if (!project)
    return project.takeError();
  auto [source, tool] = *project;
  llvm::Expected<std::string> directory = directoryFor(options, here.str(), source, context);
  if (!directory)
    return directory.takeError();
  CoverageBuild build{source, std::move(*directory),
                      options.isGcc ? CoverageKind::Gcc : CoverageKind::Clang, options.arguments,
                      tool};
  if (!isConfigured(build.directory))
    return build;
  std::optional<CoverageKind> existing = coverageKindOf(build.directory);
  if (!existing)
    return error("{}: already a build directory, which `retest init` did not make and leaves "
                 "alone; choose another with -p DIR",
                 build.directory);
  if (*existing != build.kind)
    return error("{}: prepared for {}; remove it, or choose another with -p DIR", build.directory,
                 *existing == CoverageKind::Gcc ? "GCC (--gcc)" : "Clang, not GCC");
  return build;
}

llvm::Expected<ExitCode> runInit(const InitOptions &options, Context &context) {
  llvm::Expected<CoverageBuild> build = plannedBuild(options, context);
  if (!build)
    return build.takeError();
  llvm::Expected<std::vector<std::string>> command = configureCommand(*build);
  if (!command)
    return command.takeError();
  if (llvm::Error failed = prepareCoverageBuild(*build))
    return failed;
  context.detail(fmt::format("{}", fmt::join(*command, " ")));
  context.info(fmt::format("configuring {} in {}", build->source, build->directory));
  ProjectPaths paths{workTreeOf(build->source).value_or(build->source), build->directory};
  Fingerprint names = fileNamesOf(paths);
  llvm::Expected<ProcessResult> result = runProcess({.arguments = *command});
  if (!result)
    return result.takeError();
  context.detail(result->output);
  bool isMeson = build->tool == ProjectTool::Meson;
  const char *tool = isMeson ? "Meson" : "CMake";
  if (!result->succeeded())
    return error("{}: {} could not configure it:\n{}\noptions for {} can be given behind "
                 "`--`; a project that needs GCC: retest init --gcc",
                 build->directory, tool, lastLines(isMeson ? result->output : result->errors, 30),
                 tool);
  if (!coverageKindOf(build->directory))
    return error("{}: {} did not take the flags for counters; {}", build->directory, tool,
                 isMeson ? "another native file names compilers: leave that to retest"
                         : "CMake 3.24 or newer can");
  rememberFileNames(names, paths);
  context.out << fmt::format("coverage build in {}\nnext: retest record\n", build->directory);
  return ExitCode::Success;
}

} // namespace

void addInitCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<InitOptions>();
  CLI::App *command = app.add_subcommand("init", "Prepare a build directory for recording");
  command->add_option("-p,-B,--build-dir", options->directory, "The directory to prepare")
      ->type_name("DIR")
      ->default_str(kUsualDirectory);
  command->add_flag("--gcc", options->isGcc, "Build with GCC and gcov, not with Clang");
  command->add_flag("--meson", options->isMeson, "Build with Meson, where there is CMake as well");
  command->add_option("arguments", options->arguments, "Behind `--`: options for CMake or Meson")
      ->type_name("...");
  command->callback([options, &context] {
    context.action = [options, &context] { return runInit(*options, context); };
  });
}

} // namespace retest
