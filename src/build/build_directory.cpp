#include "build/build_directory.h"
#include "build/cmake_cache.h"
#include "build/compile_entries.h"
#include "build/coverage_build.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "build/presets.h"
#include "build/work_tree.h"
#include "support/error.h"

#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <vector>

namespace retest {
namespace {

/// The subdirectories of `directory` whose names begin with `prefix`, real and sorted.
std::vector<std::string> subdirectories(llvm::StringRef directory, llvm::StringRef prefix = "") {
  std::vector<std::string> result;
  std::error_code failure;
  for (llvm::sys::fs::directory_iterator entry(directory, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (llvm::sys::path::filename(entry->path()).starts_with(prefix) &&
        llvm::sys::fs::is_directory(entry->path()))
      result.push_back(realPath(entry->path()));
  llvm::sort(result);
  return result;
}

std::vector<std::string> usualDirectories(llvm::StringRef level) {
  std::vector<std::string> result;
  auto add = [&](llvm::StringRef directory) { result.push_back(realPath(directory)); };
  auto addAll = [&](std::vector<std::string> list) { llvm::append_range(result, list); };
  for (const char *name : {"build", "out", "out/build"}) {
    add(joinPath(level, name));
    addAll(subdirectories(joinPath(level, name)));
  }
  add(joinPath(level, "builddir")); // as Meson's manual calls it
  addAll(subdirectories(level, "build-"));
  addAll(subdirectories(level, "cmake-build-"));
  for (const std::string &directory : presetBuildDirectories(level))
    add(directory);
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Looks upwards from one directory and remembers what it passed over, for the message.
class Search {
public:
  explicit Search(llvm::StringRef start)
      : start_(start), tree_(workTreeOf(start).value_or(start.str())) {}

  /// The directory of the level's own compile_commands.json, behind a link if it is one.
  std::vector<std::string> ownDirectory(llvm::StringRef level) {
    std::string file = compileDatabasePath(level);
    if (!llvm::sys::fs::exists(file)) {
      if (llvm::sys::fs::is_symlink_file(file))
        rejected_.push_back(fmt::format("{} (a link to nowhere)", file));
      return {};
    }
    return usable({llvm::sys::path::parent_path(realPath(file)).str()});
  }

  /// Those of the directories that hold a compile database of this project, newest first.
  std::vector<std::string> usable(const std::vector<std::string> &directories) {
    std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> found;
    for (const std::string &directory : directories) {
      llvm::sys::fs::file_status status;
      if (!llvm::sys::fs::status(compileDatabasePath(directory), status) && belongs(directory))
        found.emplace_back(status.getLastModificationTime(), directory);
    }
    // One that was made for recording is what the user means, however old it is.
    llvm::sort(found, [](const auto &a, const auto &b) {
      bool isPrepared = coverageKindOf(a.second).has_value();
      if (isPrepared != coverageKindOf(b.second).has_value())
        return isPrepared;
      return std::pair(b.first, a.second) < std::pair(a.first, b.second);
    });
    std::vector<std::string> result;
    for (auto &[time, directory] : found)
      result.push_back(std::move(directory));
    return result;
  }

  llvm::Error failure() const {
    std::string passed =
        rejected_.empty() ? "" : fmt::format("\npassed over: {}", fmt::join(rejected_, ", "));
    return error(
        "{}: no build directory found here or above (looked for compile_commands.json, "
        "also in build, builddir, build-*, cmake-build-*, out, their subdirectories and the CMake "
        "presets){}\nconfigure with `cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, "
        "or name the directory with -p DIR",
        start_, passed);
  }

private:
  bool belongs(const std::string &directory) {
    auto home = cmakeCacheEntry(directory, "CMAKE_HOME_DIRECTORY");
    if (!home)
      home = mesonSource(directory);
    if (!home)
      return true;
    std::string source = realPath(*home);
    if (isWithin(start_, source) || isWithin(source, tree_) || isWithin(start_, directory))
      return true;
    rejected_.push_back(fmt::format("{} (builds {})", directory, *home));
    return false;
  }

  std::string start_;
  std::string tree_; ///< the git work tree around start_
  std::vector<std::string> rejected_;
};

BuildDirectory chosen(const std::vector<std::string> &newestFirst) {
  BuildDirectory result{newestFirst.front(), ""};
  if (newestFirst.size() > 1)
    result.note = fmt::format(
        "using {}, {} of {} build directories (-p DIR chooses another: {})", result.path,
        coverageKindOf(result.path) ? "prepared for recording," : "the newest", newestFirst.size(),
        fmt::join(llvm::ArrayRef(newestFirst).drop_front(), ", "));
  return result;
}

} // namespace

llvm::Expected<BuildDirectory> findBuildDirectory(llvm::StringRef startDirectory) {
  if (!llvm::sys::fs::is_directory(startDirectory))
    return error("{}: no such directory; name the build directory with -p DIR",
                 startDirectory.str());
  std::string start = realPath(startDirectory);
  Search search(start);
  for (llvm::StringRef level = start; !level.empty(); level = llvm::sys::path::parent_path(level)) {
    if (auto own = search.ownDirectory(level); !own.empty())
      return chosen(own);
    if (auto found = search.usable(usualDirectories(level)); !found.empty())
      return chosen(found);
  }
  return search.failure();
}

} // namespace retest
