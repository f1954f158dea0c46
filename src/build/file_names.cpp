#include "build/file_names.h"

#include "build/paths.h"
#include "support/git.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <set>

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
  Walk(const ProjectPaths &paths, bool takesAll) : paths_(paths), takesAll_(takesAll) {}

  void visit(const std::string &directory) {
    std::error_code code;
    std::vector<std::string> below;
    std::vector<std::string> found;
    for (fs::directory_iterator each(directory, code, /*follow_symlinks=*/false), end;
         each != end && !code; each.increment(code)) {
      llvm::StringRef name = llvm::sys::path::filename(each->path());
      if (each->type() == fs::file_type::directory_file) {
        if (name != ".git" && each->path() != paths_.build)
          below.push_back(each->path());
      } else if (name == "CMakeCache.txt" && directory != paths_.root) {
        return; // another build
      } else if (takesAll_ || isSource(name)) {
        found.push_back(partBelow(each->path(), paths_.root).str());
      }
    }
    names.insert(found.begin(), found.end());
    for (const std::string &each : below)
      visit(each);
  }

  std::set<std::string> names;

private:
  const ProjectPaths &paths_;
  const bool takesAll_;
};

} // namespace

Fingerprint fileNamesOf(const ProjectPaths &paths) {
  std::optional<std::vector<std::string>> known = filesOfWorkTree(paths.root);
  Walk walk(paths, /*takesAll=*/!known);
  walk.visit(paths.root);
  if (known)
    for (const std::string &name : *known)
      if (std::string path = joinPath(paths.root, name);
          !isWithin(path, paths.build) && fs::exists(path))
        walk.names.insert(name);
  FingerprintBuilder names;
  for (const std::string &name : walk.names)
    if (!isOfEditor(name))
      names.add(name);
  return names.finish();
}

} // namespace retest
