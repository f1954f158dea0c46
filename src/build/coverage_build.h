#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// What counts while tests run.
enum class CoverageKind {
  Clang, ///< source-based coverage
  Gcc,   ///< gcov
};

/// What describes the project.
enum class ProjectTool { CMake, Meson };

/// A build directory of a project for recording: its own compiler and flags, put in from outside.
/// No file of the project is changed.
struct CoverageBuild {
  std::string source; ///< with the CMakeLists.txt or meson.build at the top
  std::string directory;
  CoverageKind kind = CoverageKind::Clang;
  std::vector<std::string> arguments = {}; ///< for CMake or Meson, as the user gives them
  ProjectTool tool = ProjectTool::CMake;
};

/// How CMake or Meson is called to configure it.
///
/// For CMake the flags come in a file of ours below the build directory, which CMake includes in
/// the first `project()` (CMAKE_PROJECT_TOP_LEVEL_INCLUDES): projects that set CMAKE_CXX_FLAGS do
/// not lose them, and checks of the compiler run without them. For Meson they come in a native
/// file. The user's arguments come last and win.
llvm::Expected<std::vector<std::string>> configureCommand(const CoverageBuild &build);

/// Writes that file, what CMake's file API is asked, and a .gitignore for the build directory.
llvm::Error prepareCoverageBuild(const CoverageBuild &build);

/// How GCC compiles for recording.
///
/// Its own runtime would write profiles at exit, and lose them at a crash. So nothing registers
/// with it (-fprofile-info-section), and the counters get a section of their own, which the
/// recorder reads. Optimised code is not counted as it is written: calls are dropped, functions
/// become parts of others. A built-in `exec` is taken for a call that always comes back.
const std::vector<std::string> &gccCompileFlags();
/// The linker script of a prepared directory that makes that section (ld and lld know how).
std::string gccLinkerScript(llvm::StringRef directory);

/// Whether it was configured before, for recording or not.
bool isConfigured(llvm::StringRef directory);

/// What a build directory was prepared for; nothing if it was not.
std::optional<CoverageKind> coverageKindOf(llvm::StringRef directory);

/// The outermost directory with a CMakeLists.txt from `start` upwards, without a gap: the
/// project's. Nothing if there is none.
std::optional<std::string> findCMakeProject(llvm::StringRef start);

} // namespace retest
