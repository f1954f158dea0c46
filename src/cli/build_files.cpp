#include "cli/build_files.h"

#include "run/observed_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <map>
#include <set>

namespace retest {
namespace {

constexpr llvm::StringLiteral kBuild = "<build>";

bool isInBuild(llvm::StringRef name) {
  return name.consume_front(kBuild) && (name.empty() || name.starts_with("/"));
}

llvm::StringRef fileName(llvm::StringRef name) { return llvm::sys::path::filename(name); }
std::string directoryOf(llvm::StringRef name) { return llvm::sys::path::parent_path(name).str(); }

/// What CMake and its tools keep there for themselves.
bool isOfBuildTool(llvm::StringRef name) {
  static const llvm::StringSet<> kNames = {
      "CMakeCache.txt",      "CTestTestfile.cmake",   "build.ninja", "Makefile",
      "cmake_install.cmake", "compile_commands.json", ".ninja_log",  ".ninja_deps"};
  return name == kBuild || name.starts_with("<build>/CMakeFiles/") ||
         name.starts_with("<build>/Testing") || kNames.contains(fileName(name));
}

/// Paths that tests write, for questions about what is below, or above, of them.
class WrittenPaths {
public:
  void add(const std::string &path) { paths_.insert(path); }

  bool covers(llvm::StringRef path) const {
    for (llvm::StringRef each = path; !each.empty(); each = llvm::sys::path::parent_path(each))
      if (paths_.count(each.str()))
        return true;
    std::string inside = path.str() + "/";
    auto below = paths_.lower_bound(inside);
    return below != paths_.end() && llvm::StringRef(*below).starts_with(inside);
  }

private:
  std::set<std::string> paths_;
};

/// Whether it is left to us to find out where a file comes from.
bool isUntold(const FileUse &use, const WrittenPaths &written, const MadeFiles &made,
              const ProjectPaths &paths) {
  return (use.kind == FileUseKind::Read || use.kind == FileUseKind::Listed) &&
         isInBuild(use.path) && !isOfBuildTool(use.path) && !written.covers(use.path) &&
         !made.contains(paths.pathOf(use.path));
}

using Copy = std::pair<std::string, Fingerprint>; ///< name without directory, and content

class Originals {
public:
  Originals(const ProjectPaths &paths, FileStates &states) : paths_(paths), states_(states) {}

  void want(const FileUse &use) {
    if (use.kind == FileUseKind::Read) {
      wanted_.insert({fileName(use.path).str(), use.content});
      names_.insert(fileName(use.path));
    }
  }

  void find() {
    std::error_code code;
    namespace fs = llvm::sys::fs;
    if (names_.empty())
      return;
    for (fs::recursive_directory_iterator each(paths_.root, code, /*follow_symlinks=*/false), end;
         each != end && !code; each.increment(code)) {
      const std::string &path = each->path();
      if (path == paths_.build || fileName(path) == ".git" ||
          fs::exists(path + "/CMakeCache.txt")) { // another build
        each.no_push();
        continue;
      }
      if (!names_.contains(fileName(path)))
        continue;
      std::optional<Fingerprint> content = states_.current(path);
      if (content && wanted_.count({fileName(path).str(), *content}))
        found_.emplace(Copy{fileName(path).str(), *content}, paths_.nameOf(path));
    }
  }

  /// The uses of originals that follow from uses of copies.
  std::vector<FileUse> of(llvm::ArrayRef<FileUse> uses) {
    std::vector<FileUse> more;
    std::set<std::pair<std::string, std::string>> directories; // of copies and originals
    for (const FileUse &use : uses) {
      if (use.kind != FileUseKind::Read || !isInBuild(use.path))
        continue;
      auto [first, last] = found_.equal_range({fileName(use.path).str(), use.content});
      for (; first != last; ++first) {
        more.push_back({FileUseKind::Read, first->second, use.content});
        directories.insert({directoryOf(use.path), directoryOf(first->second)});
      }
    }
    // Who lists a copied directory, or looks for a file in it, would find what is added to the
    // original.
    FileObservations listed;
    for (const auto &[copy, original] : directories)
      for (const FileUse &use : uses)
        if (use.kind == FileUseKind::Listed && use.path == copy)
          listed.files.push_back({FileUseKind::Listed, paths_.pathOf(original), {}});
        else if (use.kind == FileUseKind::Missing && directoryOf(use.path) == copy)
          addMissing(original + "/" + fileName(use.path).str(), more);
    addContents(listed, states_);
    for (FileUse &use : listed.files) {
      use.path = paths_.nameOf(use.path);
      more.push_back(use);
    }
    return more;
  }

private:
  void addMissing(const std::string &name, std::vector<FileUse> &uses) {
    if (!llvm::sys::fs::exists(paths_.pathOf(name)))
      uses.push_back({FileUseKind::Missing, name, {}});
  }

  const ProjectPaths &paths_;
  FileStates &states_;
  std::set<Copy> wanted_;
  llvm::StringSet<> names_;
  std::multimap<Copy, std::string> found_;
};

} // namespace

void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states) {
  WrittenPaths written;
  for (const RecordedTest &test : tests)
    for (const FileUse &use : test.files)
      if (use.kind == FileUseKind::Written)
        written.add(use.path);
  Originals originals(paths, states);
  for (const RecordedTest &test : tests)
    for (const FileUse &use : test.files)
      if (isUntold(use, written, made, paths))
        originals.want(use);
  originals.find();
  for (RecordedTest &test : tests) {
    llvm::append_range(test.files, originals.of(test.files));
    llvm::sort(test.files);
    test.files.erase(std::unique(test.files.begin(), test.files.end()), test.files.end());
  }
}

std::vector<bool> areOfUnknownOrigin(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                     const ProjectPaths &paths) {
  WrittenPaths written;
  std::set<Copy> originals;
  std::set<std::string> copied; // directories with copies
  for (const StoredFileUse &use : uses)
    if (use.use.kind == FileUseKind::Written)
      written.add(use.use.path);
    else if (use.use.kind == FileUseKind::Read && !isInBuild(use.use.path))
      originals.insert({fileName(use.use.path).str(), use.use.content});
  auto isCopy = [&](const FileUse &use) {
    return use.kind == FileUseKind::Read &&
           originals.count({fileName(use.path).str(), use.content});
  };
  for (const StoredFileUse &use : uses)
    if (isCopy(use.use))
      copied.insert(directoryOf(use.use.path));
  std::vector<bool> result;
  for (const StoredFileUse &use : uses)
    result.push_back(isUntold(use.use, written, made, paths) && !isCopy(use.use) &&
                     !(use.use.kind == FileUseKind::Listed && copied.count(use.use.path)));
  return result;
}

} // namespace retest
