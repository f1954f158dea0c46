#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>
#include <string>

namespace retest {

/// Where the project lies, and how its files are named independently of that place.
///
/// Both directories are absolute, real (no symbolic links) and without a trailing slash.
struct ProjectPaths {
  std::string root;           ///< all sources of the project are below
  std::string build;          ///< the build directory; may lie inside or outside the root
  std::string buildLink = {}; ///< a link inside the root that leads to it; usually none

  /// "src/lib.cpp" below the root, "<build>/gen.h" below the build directory (inside the root or
  /// not, so that build/ and build-ci/ agree), the absolute path for anything else. In a build in
  /// the source directory itself all is named from the root. `path` is absolute; "." and ".." and
  /// links are resolved lexically first, then through the file system if the file exists.
  ///
  /// A path spelled through a link to the checkout has the same name as the real one, whether or
  /// not the file exists. Links *below* the root keep their name: they are part of the checkout.
  ///
  /// Cost: a path spelled below the real root or build directory is text work only (a ".." costs
  /// one look at the file system); any other needs several. Nothing is cached here: who names the
  /// same files again and again, such as the headers of every unit, keeps a map.
  std::string nameOf(llvm::StringRef path) const;
  /// The reverse of nameOf.
  std::string pathOf(llvm::StringRef name) const;
  /// Whether a file belongs to the project: below the root or the build directory. Costs as nameOf.
  bool contains(llvm::StringRef path) const;

  auto operator<=>(const ProjectPaths &) const = default;
};

/// The project that is built in `buildDirectory`.
///
/// Its root is `root` if given, else the outermost git work tree around the source directory that
/// CMake was run on (a submodule belongs to its superproject), else that source directory. A
/// build directory without CMakeCache.txt: the same, from the directory that all sources of the
/// compile database have in common.
llvm::Expected<ProjectPaths> findProject(llvm::StringRef buildDirectory,
                                         std::optional<std::string> root = std::nullopt);

} // namespace retest
