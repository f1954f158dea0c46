#include "cli/build_files.h"

#include "build/paths.h"
#include "run/observed_files.h"
#include "support/git.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <set>

namespace retest {
namespace {

constexpr llvm::StringLiteral kBuild = "<build>";

bool isInBuild(llvm::StringRef name) {
  return name.consume_front(kBuild) && (name.empty() || name.starts_with("/"));
}

llvm::StringRef fileName(llvm::StringRef name) { return llvm::sys::path::filename(name); }

/// What CMake and its tools keep there for themselves.
bool isOfBuildTool(llvm::StringRef name) {
  static const llvm::StringSet<> kNames = {
      "CMakeCache.txt",      "CTestTestfile.cmake",   "build.ninja", "Makefile",
      "cmake_install.cmake", "compile_commands.json", ".ninja_log",  ".ninja_deps"};
  bool isOfAnyDirectory =
      fileName(name) == "CTestTestfile.cmake" || fileName(name) == "cmake_install.cmake";
  bool isOfMeson = isWithin(name, "<build>/meson-private") ||
                   isWithin(name, "<build>/meson-info") || isWithin(name, "<build>/meson-logs");
  return name.starts_with("<build>/CMakeFiles/") || isOfMeson || name == "<build>/Testing" ||
         name.starts_with("<build>/Testing/") || isOfAnyDirectory ||
         (llvm::sys::path::parent_path(name) == kBuild && kNames.contains(fileName(name)));
}

bool isContent(const FileUse &use) {
  return use.kind == FileUseKind::Read || use.kind == FileUseKind::Executed;
}

/// "libx.so", "x.so.1.2", and not "x.sorted"; or where the loader looks for variants of libraries.
bool isLibrary(llvm::StringRef path) {
  llvm::StringRef file = fileName(path);
  auto [name, version] = file.rsplit(".so");
  return path.contains("/glibc-hwcaps") ||
         (name != file && version.find_first_not_of(".0123456789") == llvm::StringRef::npos);
}

/// Which copies concern a path.
class Copies {
public:
  Copies(const MadeFiles &made, const ProjectPaths &paths) : paths_(paths) {
    for (const BuildStep &step : made.steps)
      llvm::append_range(copies_, step.copies);
    llvm::sort(copies_);
    copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
  }

  /// The names of what would be copied to the path; several: one after the other.
  std::vector<std::string> originalsOf(const std::string &path) const {
    std::vector<std::string> originals;
    for (const BuildCopy &copy : copies_)
      if (!copy.from.empty() && (copy.isTree ? isWithin(path, copy.to) : path == copy.to))
        originals.push_back(paths_.nameOf(joinPath(copy.from, partBelow(path, copy.to))));
    return originals;
  }

  /// Whether a copy makes the path a directory, or puts something there that is not there now.
  bool mayAddTo(const std::string &path) const {
    return llvm::any_of(copies_, [&](const BuildCopy &copy) {
      return isWithin(copy.to, path) && !llvm::sys::fs::exists(copy.to);
    });
  }

private:
  const ProjectPaths &paths_;
  std::vector<BuildCopy> copies_;
};

/// How the original of a copy is used by who uses the copy; nothing if it is not what was copied.
std::optional<FileUse> useOfOriginal(const FileUse &use, const std::string &original,
                                     const ProjectPaths &paths, FileStates &states) {
  std::string path = paths.pathOf(original);
  if (isContent(use)) {
    if (states.current(path) != use.content)
      return std::nullopt;
    return FileUse{FileUseKind::Read, original, use.content};
  }
  if (use.kind == FileUseKind::Missing && !llvm::sys::fs::exists(path))
    return FileUse{FileUseKind::Missing, original, {}};
  if (use.kind == FileUseKind::Listed)
    if (std::optional<Fingerprint> names = listingOf(path))
      return FileUse{FileUseKind::Listed, original, *names};
  return std::nullopt;
}

/// Uses that were recorded, to be asked for those of originals. What an original lists or misses
/// now is compared elsewhere.
class RecordedUses {
public:
  explicit RecordedUses(llvm::ArrayRef<StoredFileUse> uses) {
    for (const StoredFileUse &use : uses)
      known_.insert(keyOf(use.use.kind, use.use.path, use.use.content));
  }

  bool haveOriginal(const FileUse &use, const std::string &original) const {
    FileUseKind kind = isContent(use) ? FileUseKind::Read : use.kind;
    return known_.count(keyOf(kind, original, use.content)) != 0;
  }

private:
  using Key = std::tuple<FileUseKind, std::string, Fingerprint>;
  static Key keyOf(FileUseKind kind, const std::string &path, Fingerprint content) {
    return {kind, path, kind == FileUseKind::Read ? content : Fingerprint{}};
  }
  std::set<Key> known_;
};

FileOrigin originOf(const FileUse &use, const RecordedUses &recorded, const Copies &copies,
                    const ProjectPaths &paths) {
  std::string path = paths.pathOf(use.path);
  std::vector<std::string> originals = copies.originalsOf(path);
  auto isKnown = [&](const std::string &original) { return recorded.haveOriginal(use, original); };
  bool isClear = llvm::all_of(originals, isKnown) && (isContent(use) || !copies.mayAddTo(path));
  return isClear ? FileOrigin::Silent : FileOrigin::Unclear;
}

} // namespace

BuiltFiles::BuiltFiles(const ProjectPaths &paths)
    : root_(paths.root), isInSource_(isWithin(paths.root, paths.build)) {}

bool BuiltFiles::isTracked(llvm::StringRef name) const {
  if (!tracked_) {
    tracked_.emplace();
    if (std::optional<std::vector<std::string>> files = trackedFiles(root_)) {
      tracked_->emplace();
      for (const std::string &file : *files)
        (*tracked_)->insert(file);
    }
  }
  return *tracked_ && (*tracked_)->contains(name);
}

bool BuiltFiles::mayContain(FileUseKind kind, llvm::StringRef name) const {
  if (kind == FileUseKind::Written || kind == FileUseKind::Found || isOfBuildTool(name) ||
      (kind == FileUseKind::Missing && isLibrary(name)))
    return false;
  if (isInBuild(name))
    return name != kBuild || kind == FileUseKind::Listed;
  bool isContent = kind == FileUseKind::Read || kind == FileUseKind::Executed;
  return !name.starts_with("/") && (isContent || isInSource_) && !isTracked(name);
}

void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states) {
  Copies copies(made, paths);
  BuiltFiles built(paths);
  for (RecordedTest &test : tests) {
    std::vector<FileUse> more;
    for (const FileUse &use : test.files)
      if (built.mayContain(use.kind, use.path))
        for (const std::string &original : copies.originalsOf(paths.pathOf(use.path)))
          if (std::optional<FileUse> added = useOfOriginal(use, original, paths, states))
            more.push_back(std::move(*added));
    llvm::append_range(test.files, more);
    llvm::sort(test.files);
    test.files.erase(std::unique(test.files.begin(), test.files.end()), test.files.end());
  }
}

std::vector<FileOrigin> originsOf(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                  const ProjectPaths &paths) {
  std::vector<FileOrigin> origins(uses.size(), FileOrigin::Told);
  if (!made.mayHaveCommands())
    return origins;
  Copies copies(made, paths);
  BuiltFiles built(paths);
  RecordedUses recorded(uses);
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (const FileUse &use = uses[i].use;
        built.mayContain(use.kind, use.path) && !made.contains(paths.pathOf(use.path)))
      origins[i] = originOf(use, recorded, copies, paths);
  return origins;
}

} // namespace retest
