#include "build/file_names.h"

#include "build/paths.h"
#include "support/git.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

namespace fs = llvm::sys::fs;

bool isSource(llvm::StringRef path) {
  static const llvm::StringSet<> kEndings = {
      ".c",   ".cc", ".cpp", ".cxx", ".c++", ".cppm", ".ixx", ".C",   ".s",   ".S",    ".asm",
      ".cu",  ".m",  ".mm",  ".h",   ".hh",  ".hpp",  ".hxx", ".inl", ".ipp", ".tcc",  ".f",
      ".f90", ".F",  ".F90", ".y",   ".l",   ".ui",   ".qrc", ".idl", ".in",  ".proto"};
  return kEndings.contains(llvm::sys::path::extension(path));
}

/// A file that is there as long as somebody edits another one.
bool isOfEditor(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return name.starts_with(".#") || name.starts_with("#") || name.ends_with("~") ||
         name.ends_with(".swp") || name.ends_with(".swx") || name == "4913";
}

class Walk {
public:
  Walk(const ProjectPaths &paths, const std::vector<std::string> &ignored) : paths_(paths) {
    for (const std::string &name : ignored)
      ignored_.insert(llvm::StringRef(name).rtrim('/'));
  }

  void visit(const std::string &directory) {
    std::error_code code;
    std::vector<std::string> below, found;
    for (fs::directory_iterator each(directory, code, /*follow_symlinks=*/false), end;
         each != end && !code; each.increment(code)) {
      llvm::StringRef name = llvm::sys::path::filename(each->path());
      llvm::StringRef part = partBelow(each->path(), paths_.root);
      bool isDirectory = each->type() == fs::file_type::directory_file;
      if ((name == "CMakeCache.txt" || name == "meson-private") && directory != paths_.root)
        return; // another build
      if (name == ".git" || each->path() == paths_.build || isOfEditor(name) ||
          (ignored_.contains(part) && (isDirectory || !isSource(name))))
        continue;
      found.push_back(part.str());
      if (isDirectory)
        below.push_back(each->path());
    }
    llvm::append_range(names, found);
    for (const std::string &each : below)
      visit(each);
  }

  std::vector<std::string> names;

private:
  const ProjectPaths &paths_;
  llvm::StringSet<> ignored_;
};

/// A build in the source directory makes files everywhere: only what git has is the project's.
std::vector<std::string> namesBesideBuild(const ProjectPaths &paths) {
  return filesOfWorkTree(paths.root).value_or(std::vector<std::string>());
}

std::vector<std::string> namesIn(const ProjectPaths &paths) {
  if (isWithin(paths.root, paths.build))
    return namesBesideBuild(paths);
  Walk walk(paths, ignoredFiles(paths.root).value_or(std::vector<std::string>()));
  walk.visit(paths.root);
  return std::move(walk.names);
}

} // namespace

Fingerprint fileNamesOf(const ProjectPaths &paths) {
  std::vector<std::string> names = namesIn(paths);
  llvm::sort(names);
  FingerprintBuilder all;
  for (const std::string &name : names)
    all.add(llvm::StringRef(name));
  return all.finish();
}

} // namespace retest
