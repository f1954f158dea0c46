#include "cli/build_files.h"

#include "build/build_tool_files.h"
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
  bool isOfAnyDirectory =
      fileName(name) == "CTestTestfile.cmake" || fileName(name) == "cmake_install.cmake";
  return name == kBuild || name.starts_with("<build>/CMakeFiles/") || name == "<build>/Testing" ||
         name.starts_with("<build>/Testing/") || isOfAnyDirectory ||
         (llvm::sys::path::parent_path(name) == kBuild && kNames.contains(fileName(name)));
}

bool isContent(const FileUse &use) {
  return use.kind == FileUseKind::Read || use.kind == FileUseKind::Executed;
}

/// Whether it is left to us to find out where a file comes from.
bool isUntold(const FileUse &use, const MadeFiles &made, const ProjectPaths &paths) {
  if (use.kind == FileUseKind::Missing)
    return made.hasCommands() && mayBeMadeByBuild(use.kind, use.path) &&
           !made.contains(paths.pathOf(use.path));
  return (isContent(use) || use.kind == FileUseKind::Listed) && isInBuild(use.path) &&
         !isOfBuildTool(use.path) && !made.contains(paths.pathOf(use.path));
}

/// What commands of the build copy: files, and directories with all that is below.
///
/// Name and content alone do not make an original: a golden file has those of what a tool writes.
class CopiedPlaces {
public:
  explicit CopiedPlaces(const std::string &buildDirectory) {
    forEachBuildLine(buildDirectory, [&](llvm::StringRef line) {
      if (!line.contains("copy") && !line.contains("cp "))
        return;
      llvm::SmallVector<llvm::StringRef, 32> words;
      line.split(words, ' ', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef word : words)
        if (word = word.trim("\"'"); word.starts_with("/"))
          places_.insert(word.rtrim('/'));
    });
  }

  bool contain(const std::string &path) const {
    for (llvm::StringRef each = path; each.size() > 1; each = llvm::sys::path::parent_path(each))
      if (places_.contains(each))
        return true;
    return false;
  }

private:
  llvm::StringSet<> places_;
};

/// Whether it holds for the path or a directory around it, below the build directory.
bool isInAny(llvm::StringRef path, llvm::function_ref<bool(const std::string &)> holds) {
  for (; path.size() > kBuild.size(); path = llvm::sys::path::parent_path(path))
    if (holds(path.str()))
      return true;
  return false;
}

using Copy = std::pair<std::string, Fingerprint>; ///< name without directory, and content

class Originals {
public:
  Originals(const ProjectPaths &paths, FileStates &states) : paths_(paths), states_(states) {}

  void want(const FileUse &use) {
    if (isContent(use)) {
      wanted_.insert({fileName(use.path).str(), use.content});
      names_.insert(fileName(use.path));
    }
  }

  void find() {
    std::error_code code;
    namespace fs = llvm::sys::fs;
    if (names_.empty())
      return;
    CopiedPlaces copied(paths_.build);
    for (fs::recursive_directory_iterator each(paths_.root, code, /*follow_symlinks=*/false), end;
         each != end && !code; each.increment(code)) {
      const std::string &path = each->path();
      if (path == paths_.build || fileName(path) == ".git" ||
          fs::exists(path + "/CMakeCache.txt")) { // another build
        each.no_push();
        continue;
      }
      if (!names_.contains(fileName(path)) || !copied.contain(path))
        continue;
      std::optional<Fingerprint> content = states_.current(path);
      if (content && wanted_.count({fileName(path).str(), *content}))
        found_.emplace(Copy{fileName(path).str(), *content}, paths_.nameOf(path));
    }
  }

  /// The directories of copies and of their originals.
  void pair(llvm::ArrayRef<FileUse> uses) {
    for (const FileUse &use : uses)
      if (isContent(use) && isInBuild(use.path)) {
        auto [first, last] = found_.equal_range({fileName(use.path).str(), use.content});
        for (; first != last; ++first)
          directories_.insert({directoryOf(use.path), directoryOf(first->second)});
      }
  }

  /// The uses of originals that follow from uses of copies. Who lists a copied directory, or looks
  /// for something in it, would find what is added to the original.
  std::vector<FileUse> of(llvm::ArrayRef<FileUse> uses) {
    std::vector<FileUse> more;
    FileObservations listed;
    for (const FileUse &use : uses) {
      if (!isInBuild(use.path))
        continue;
      if (isContent(use)) {
        auto [first, last] = found_.equal_range({fileName(use.path).str(), use.content});
        for (; first != last; ++first)
          more.push_back({FileUseKind::Read, first->second, use.content});
      }
      for (const auto &[copy, original] : directories_) {
        llvm::StringRef rest = use.path;
        if (!rest.consume_front(copy) || !(rest.empty() || rest.starts_with("/")))
          continue;
        std::string path = paths_.pathOf(original + rest.str());
        bool isThere = llvm::sys::fs::exists(path);
        if (use.kind == FileUseKind::Listed && isThere)
          listed.files.push_back({FileUseKind::Listed, path, {}});
        else if (use.kind == FileUseKind::Missing && !isThere)
          more.push_back({FileUseKind::Missing, original + rest.str(), {}});
      }
    }
    addContents(listed, states_);
    for (FileUse &use : listed.files) {
      use.path = paths_.nameOf(use.path);
      more.push_back(use);
    }
    return more;
  }

private:
  const ProjectPaths &paths_;
  FileStates &states_;
  std::set<Copy> wanted_;
  llvm::StringSet<> names_;
  std::multimap<Copy, std::string> found_;
  std::set<std::pair<std::string, std::string>> directories_;
};

} // namespace

bool mayBeMadeByBuild(FileUseKind kind, llvm::StringRef name) {
  if (!isInBuild(name) || isOfBuildTool(name) || kind == FileUseKind::Written ||
      kind == FileUseKind::Found)
    return false;
  return kind != FileUseKind::Missing || !fileName(name).contains(".so");
}

void addOriginals(std::vector<RecordedTest> &tests, const MadeFiles &made,
                  const ProjectPaths &paths, FileStates &states) {
  Originals originals(paths, states);
  for (const RecordedTest &test : tests)
    for (const FileUse &use : test.files)
      if (isUntold(use, made, paths))
        originals.want(use);
  originals.find();
  for (const RecordedTest &test : tests)
    originals.pair(test.files);
  for (RecordedTest &test : tests) {
    llvm::append_range(test.files, originals.of(test.files));
    llvm::sort(test.files);
    test.files.erase(std::unique(test.files.begin(), test.files.end()), test.files.end());
  }
}

std::vector<bool> areOfUnknownOrigin(llvm::ArrayRef<StoredFileUse> uses, const MadeFiles &made,
                                     const ProjectPaths &paths) {
  std::vector<bool> result;
  for (const StoredFileUse &use : uses)
    result.push_back(isUntold(use.use, made, paths));
  if (!llvm::is_contained(result, true))
    return result;
  CopiedPlaces places(paths.build);
  std::set<Copy> originals;
  std::map<std::string, std::set<std::uint32_t>> writers; // sets of tests, by path
  std::set<std::string> copied;                           // directories with copies
  for (const StoredFileUse &use : uses)
    if (use.use.kind == FileUseKind::Written)
      writers[use.use.path].insert(use.users);
    else if (use.use.kind == FileUseKind::Read && !isInBuild(use.use.path) &&
             places.contain(paths.pathOf(use.use.path)))
      originals.insert({fileName(use.use.path).str(), use.use.content});
  auto isCopy = [&](const FileUse &use) {
    return isContent(use) && originals.count({fileName(use.path).str(), use.content});
  };
  for (const StoredFileUse &use : uses)
    if (isCopy(use.use))
      copied.insert(directoryOf(use.use.path));
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const FileUse &use = uses[i].use;
    // Others write it. A test that only changes what it finds does not make it.
    auto by = writers.find(use.path);
    bool isOfTests = by != writers.end() && by->second != std::set{uses[i].users};
    if (use.kind == FileUseKind::Missing) // as long as no test has made it, or what it lies in
      isOfTests = isInAny(use.path, [&](const std::string &path) { return writers.count(path); });
    if (use.kind == FileUseKind::Listed) { // see shared_files.h
      auto inside = writers.lower_bound(use.path + "/");
      isOfTests |=
          inside != writers.end() && llvm::StringRef(inside->first).starts_with(use.path + "/");
    }
    bool isCopied =
        isCopy(use) || (use.kind == FileUseKind::Listed && copied.count(use.path)) ||
        (use.kind == FileUseKind::Missing &&
         isInAny(use.path, [&](const std::string &path) { return copied.count(path); }));
    result[i] = result[i] && !isOfTests && !isCopied;
  }
  return result;
}

} // namespace retest
