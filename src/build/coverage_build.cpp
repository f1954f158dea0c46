#include "build/coverage_build.h"

#include "build/cmake_cache.h"
#include "build/command_line.h"
#include "build/compile_entries.h"
#include "build/file_api_reply.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "support/child_process.h"
#include "support/error.h"
#include "support/write_file.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

// The name of the profile is baked in, so that programs started by hand leave no files behind.
constexpr char kClangFlags[] = R"(
add_compile_options(
  "$<$<COMPILE_LANGUAGE:C,CXX>:-fprofile-instr-generate=/dev/null>"
  "$<$<COMPILE_LANGUAGE:C,CXX>:-fcoverage-mapping>")
add_link_options("$<$<LINK_LANGUAGE:C,CXX>:-fprofile-instr-generate=/dev/null>" "LINKER:--build-id")
)";

constexpr char kGccLinkFlags[] = R"(
add_link_options("$<$<LINK_LANGUAGE:C,CXX>:--coverage>"
  "$<$<LINK_LANGUAGE:C,CXX>:-T${CMAKE_CURRENT_LIST_DIR}/counters.ld>" "LINKER:--build-id")
)";

constexpr char kGccLinkerScript[] = R"(/* Made by `retest init`: where the counters of GCC are. */
SECTIONS
{
  retest_gcov : { KEEP(*(retest_gcov)) }
}
INSERT AFTER .data;
SECTIONS
{
  .retest_counters : ALIGN(CONSTANT(COMMONPAGESIZE))
  {
    *(.bss.__gcov0.*)
    . = ALIGN(CONSTANT(COMMONPAGESIZE));
  }
}
INSERT AFTER .bss;
)";

constexpr char kKindEntry[] = "RETEST_COVERAGE";

constexpr char kClangFlag[] = "-fprofile-instr-generate=/dev/null";

llvm::StringRef wordFor(CoverageKind kind) { return kind == CoverageKind::Gcc ? "gcc" : "clang"; }

std::string includePath(llvm::StringRef directory) {
  return joinPath(directory, ".retest/coverage.cmake");
}

std::string flagsFor(CoverageKind kind) {
  if (kind == CoverageKind::Clang)
    return kClangFlags;
  std::string text = "add_compile_options(";
  for (const std::string &flag : gccCompileFlags())
    text += fmt::format("\n  \"$<$<COMPILE_LANGUAGE:C,CXX>:{}>\"", flag);
  return text + ")" + kGccLinkFlags;
}

std::string nativeFile(llvm::StringRef directory) {
  return joinPath(directory, ".retest/coverage.ini");
}

std::string environmentVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// The first of the programs that is installed.
llvm::Expected<std::string> compilerNamed(const std::vector<std::string> &names) {
  for (const std::string &name : names)
    if (findProgram(name))
      return name;
  return error("{}: not found; install it, or name the compilers: retest init -- "
               "-DCMAKE_C_COMPILER=... -DCMAKE_CXX_COMPILER=... (Meson: --native-file FILE)",
               names.front());
}

struct Compilers {
  std::vector<std::string> c, cxx; ///< names, the best one first
};

Compilers compilersFor(CoverageKind kind) {
  if (kind == CoverageKind::Gcc)
    return {{"gcc", "cc"}, {"g++", "c++"}};
  std::string version = std::to_string(LLVM_VERSION_MAJOR);
  return {{"clang-" + version, "clang"}, {"clang++-" + version, "clang++"}};
}

/// A list as Meson writes it.
std::string mesonList(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", word);
  return "[" + text + "]";
}

llvm::Expected<std::string> mesonNativeFile(const CoverageBuild &build) {
  Compilers compilers = compilersFor(build.kind);
  llvm::Expected<std::string> c = compilerNamed(compilers.c);
  if (!c)
    return c.takeError();
  llvm::Expected<std::string> cxx = compilerNamed(compilers.cxx);
  if (!cxx)
    return cxx.takeError();
  // They stand behind the compiler: options for arguments are left to the project and the user.
  std::vector<std::string> flags = {kClangFlag, "-fcoverage-mapping"};
  std::vector<std::string> link = splitCommand(environmentVariable("LDFLAGS"));
  link.emplace_back("-Wl,--build-id");
  if (build.kind == CoverageKind::Gcc) {
    flags = gccCompileFlags();
    link.push_back("-T" + gccLinkerScript(build.directory));
  }
  auto with = [&](const std::string &compiler) {
    std::vector<std::string> words = flags;
    words.insert(words.begin(), compiler);
    return mesonList(words);
  };
  return fmt::format("# Made by `retest init`: counters in all code of the project.\n"
                     "[binaries]\nc = {0}\ncpp = {1}\n"
                     "[built-in options]\nc_link_args = {2}\ncpp_link_args = {2}\n",
                     with(*c), with(*cxx), mesonList(link));
}

std::vector<std::string> mesonCommand(const CoverageBuild &build) {
  std::vector<std::string> command = {"meson", "setup"};
  if (isMesonBuild(build.directory))
    command.push_back("--reconfigure");
  else
    command.insert(command.end(), {"--native-file", nativeFile(build.directory)});
  if (build.kind == CoverageKind::Gcc)
    command.emplace_back("-Doptimization=0"); // Meson's own flag comes later than ours
  command.insert(command.end(), build.arguments.begin(), build.arguments.end());
  command.insert(command.end(), {build.directory, build.source});
  return command;
}

/// By the flags that Meson has taken.
std::optional<CoverageKind> mesonKindOf(llvm::StringRef directory) {
  auto commands = llvm::MemoryBuffer::getFile(compileDatabasePath(directory));
  if (!commands)
    return std::nullopt;
  if ((*commands)->getBuffer().contains(kClangFlag))
    return CoverageKind::Clang;
  if ((*commands)->getBuffer().contains(gccCompileFlags()[1]))
    return CoverageKind::Gcc;
  return std::nullopt;
}

bool sets(const std::vector<std::string> &arguments, llvm::StringRef variable) {
  for (const std::string &argument : arguments) {
    llvm::StringRef rest = argument;
    rest.consume_front("-D");
    if (rest.consume_front(variable) && (rest.starts_with("=") || rest.starts_with(":")))
      return true;
  }
  return false;
}

} // namespace

llvm::Expected<std::vector<std::string>> configureCommand(const CoverageBuild &build) {
  if (build.tool == ProjectTool::Meson)
    return mesonCommand(build);
  std::vector<std::string> command = {"cmake", "-S", build.source, "-B", build.directory};
  bool hasGenerator = false;
  for (const std::string &argument : build.arguments)
    hasGenerator |= llvm::StringRef(argument).starts_with("-G");
  bool isConfigured = llvm::sys::fs::exists(joinPath(build.directory, "CMakeCache.txt"));
  if (!hasGenerator && !isConfigured && !std::getenv("CMAKE_GENERATOR") && findProgram("ninja"))
    command.insert(command.end(), {"-G", "Ninja"});
  Compilers compilers = compilersFor(build.kind);
  for (auto [variable, names] : {std::pair{"CMAKE_C_COMPILER", compilers.c},
                                 std::pair{"CMAKE_CXX_COMPILER", compilers.cxx}}) {
    if (sets(build.arguments, variable))
      continue;
    llvm::Expected<std::string> compiler = compilerNamed(names);
    if (!compiler)
      return compiler.takeError();
    command.push_back(fmt::format("-D{}={}", variable, *compiler));
  }
  command.push_back("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  command.push_back("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=" + includePath(build.directory));
  for (const std::string &argument : build.arguments) {
    llvm::StringRef rest = argument;
    if (rest.consume_front("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=") ||
        rest.consume_front("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES:STRING="))
      command.back() += ";" + rest.str(); // a list: theirs and ours
    else
      command.insert(command.end() - 1, argument);
  }
  return command;
}

namespace {

llvm::Error prepareForCMake(const CoverageBuild &build) {
  std::string flags = fmt::format("# Made by `retest init`: counters in all code of the project.\n"
                                  "set({} {} CACHE INTERNAL \"what counts while tests run\")\n{}",
                                  kKindEntry, wordFor(build.kind).str(), flagsFor(build.kind));
  if (llvm::Error failed = writeFile(includePath(build.directory), flags))
    return failed;
  return askForReply(build.directory);
}

llvm::Error prepareForMeson(const CoverageBuild &build) {
  llvm::Expected<std::string> flags = mesonNativeFile(build);
  if (!flags)
    return flags.takeError();
  return writeFile(nativeFile(build.directory), *flags);
}

} // namespace

llvm::Error prepareCoverageBuild(const CoverageBuild &build) {
  if (llvm::Error failed =
          build.tool == ProjectTool::Meson ? prepareForMeson(build) : prepareForCMake(build))
    return failed;
  if (build.kind == CoverageKind::Gcc)
    if (llvm::Error failed = writeFile(gccLinkerScript(build.directory), kGccLinkerScript))
      return failed;
  // Nothing of it belongs into a commit, and the project need not say so.
  return writeFile(joinPath(build.directory, ".gitignore"), "*\n");
}

const std::vector<std::string> &gccCompileFlags() {
  static const std::vector<std::string> flags = {
      "--coverage",          "-fprofile-info-section=retest_gcov",
      "-fdata-sections",     "-O0",
      "-fno-builtin-execl",  "-fno-builtin-execle",
      "-fno-builtin-execlp", "-fno-builtin-execv",
      "-fno-builtin-execve", "-fno-builtin-execvp"};
  return flags;
}

std::string gccLinkerScript(llvm::StringRef directory) {
  return joinPath(directory, ".retest/counters.ld");
}

bool isConfigured(llvm::StringRef directory) {
  return llvm::sys::fs::exists(joinPath(directory, "CMakeCache.txt")) || isMesonBuild(directory);
}

std::optional<CoverageKind> coverageKindOf(llvm::StringRef directory) {
  if (isMesonBuild(directory))
    return mesonKindOf(directory);
  std::optional<std::string> word = cmakeCacheEntry(directory, kKindEntry);
  if (word == wordFor(CoverageKind::Clang))
    return CoverageKind::Clang;
  if (word == wordFor(CoverageKind::Gcc))
    return CoverageKind::Gcc;
  return std::nullopt;
}

std::optional<std::string> findCMakeProject(llvm::StringRef start) {
  std::optional<std::string> found;
  for (llvm::StringRef level = start; !level.empty(); level = llvm::sys::path::parent_path(level)) {
    if (llvm::sys::fs::exists(joinPath(level, "CMakeLists.txt")))
      found = level.str();
    else if (found)
      break;
  }
  return found;
}

} // namespace retest
