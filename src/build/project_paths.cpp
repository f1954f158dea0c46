#include "build/project_paths.h"
#include "build/cmake_cache.h"
#include "build/compile_entries.h"
#include "build/meson_build.h"
#include "build/paths.h"
#include "build/work_tree.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <set>

namespace retest {
namespace {

constexpr llvm::StringRef kBuild = "<build>";

std::optional<std::string> nameByText(const ProjectPaths &paths, llvm::StringRef path) {
  if (!paths.buildLink.empty() && isWithin(path, paths.buildLink))
    return joinPath(kBuild, partBelow(path, paths.buildLink));
  bool isInRoot = isWithin(path, paths.root);
  bool isInBuild = isWithin(path, paths.build);
  // One may lie inside the other, and the inner one names the file. In-source builds: the root.
  if (isInBuild && (!isInRoot || paths.build.size() > paths.root.size()))
    return joinPath(kBuild, partBelow(path, paths.build));
  if (!isInRoot)
    return std::nullopt;
  llvm::StringRef name = partBelow(path, paths.root);
  return name.empty() ? "." : name.str();
}

/// Replaces the part of `path` that is another spelling of `directory`, if there is one.
/// Directories are compared by identity, so what follows may be missing or be a link itself.
std::optional<std::string> respell(llvm::StringRef path, llvm::StringRef directory) {
  llvm::sys::fs::file_status wanted;
  if (llvm::sys::fs::status(directory, wanted))
    return std::nullopt;
  for (llvm::StringRef above = path; !above.empty(); above = llvm::sys::path::parent_path(above)) {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(above, status) && llvm::sys::fs::equivalent(status, wanted))
      return joinPath(directory, partBelow(path, above));
  }
  return std::nullopt;
}

/// The directory that holds all sources outside the build directory, or the build directory itself
/// if all are in there; nothing if that is "/".
std::optional<std::string> commonSourceDirectory(llvm::StringRef build) {
  auto entries = readCompileEntries(build);
  if (!entries) {
    llvm::consumeError(entries.takeError());
    return std::nullopt;
  }
  std::set<std::string> directories; // few beside the files
  for (const CompileEntry &entry : *entries)
    directories.insert(llvm::sys::path::parent_path(entry.file).str());
  std::optional<std::string> common;
  for (const std::string &spelled : directories) {
    std::string directory = realPath(spelled);
    if (isWithin(directory, build))
      continue;
    if (!common)
      common = directory;
    while (!isWithin(directory, *common))
      common = llvm::sys::path::parent_path(*common).str();
  }
  if (!common && !directories.empty())
    common = build.str();
  return common == "/" ? std::nullopt : common;
}

llvm::Expected<std::string> sourceDirectory(llvm::StringRef build) {
  auto home = cmakeCacheEntry(build, "CMAKE_HOME_DIRECTORY");
  if (!home)
    home = mesonSource(build);
  if (home) {
    if (!llvm::sys::fs::is_directory(*home))
      return error(
          "{}: configured for {}, which does not exist; configure the build directory again",
          build.str(), *home);
    return realPath(*home);
  }
  if (auto common = commonSourceDirectory(build))
    return *common;
  return llvm::sys::path::parent_path(build).str();
}

} // namespace

std::string ProjectPaths::nameOf(llvm::StringRef path) const {
  std::string clean = absolutePath("/", path);
  if (auto name = nameByText(*this, clean))
    return *name;
  std::string real = realPath(clean);
  if (real != clean) // it leads through a link, perhaps one to the project
    for (const std::string &directory : {root, build})
      if (auto respelled = respell(clean, directory))
        return *nameByText(*this, *respelled);
  return nameByText(*this, real).value_or(real);
}

std::string ProjectPaths::pathOf(llvm::StringRef name) const {
  if (name.starts_with("/"))
    return name.str();
  if (isWithin(name, kBuild))
    return joinPath(build, partBelow(name, kBuild));
  return name == "." ? root : joinPath(root, name);
}

bool ProjectPaths::contains(llvm::StringRef path) const {
  return !llvm::StringRef(nameOf(path)).starts_with("/");
}

llvm::Expected<ProjectPaths> findProject(llvm::StringRef buildDirectory,
                                         std::optional<std::string> root) {
  if (llvm::sys::fs::is_regular_file(buildDirectory))
    return error("{}: a file, not a build directory; name the directory it is in with -p DIR",
                 buildDirectory.str());
  if (!llvm::sys::fs::is_directory(buildDirectory))
    return error("{}: no such build directory; configure one with "
                 "`cmake -B {} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, or name another with -p DIR",
                 buildDirectory.str(), buildDirectory.str());
  if (root && !llvm::sys::fs::is_directory(*root))
    return error(ErrorKind::Usage,
                 "--root {}: no such directory; name the top directory of the sources", *root);
  ProjectPaths paths;
  paths.build = realPath(buildDirectory);
  // In the source directory there often is a link to the database in the build directory.
  std::string database = compileDatabasePath(paths.build);
  if (llvm::sys::fs::is_symlink_file(database) && llvm::sys::fs::exists(database))
    paths.build = llvm::sys::path::parent_path(realPath(database)).str();
  if (root) {
    paths.root = realPath(*root);
  } else {
    auto source = sourceDirectory(paths.build);
    if (!source)
      return source.takeError();
    paths.root = workTreeOf(*source).value_or(*source);
  }
  llvm::SmallString<256> spelled(buildDirectory);
  if (!llvm::sys::fs::make_absolute(spelled))
    if (std::string link = absolutePath("/", spelled);
        isWithin(link, paths.root) && llvm::sys::fs::is_symlink_file(link))
      paths.buildLink = link;
  return paths;
}

} // namespace retest
