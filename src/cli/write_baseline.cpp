#include "cli/write_baseline.h"

#include "graph/extract_project.h"
#include "support/error.h"
#include "support/git.h"

#include <fmt/chrono.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace retest {

namespace {

/// Where the work tree stands. A git that fails is no reason not to record: the name will tell.
std::optional<GitState> stateOf(const std::string &root, Context &context) {
  llvm::Expected<std::optional<GitState>> git = gitState(root);
  if (git)
    return *git;
  context.warning(llvm::toString(git.takeError()) + "; the baseline does not know its commit");
  return std::nullopt;
}

/// Whether a unit read a file that the commit does not have.
bool readsUntracked(const Tree &tree, const std::vector<std::string> &untracked) {
  llvm::StringSet<> unknown;
  for (const std::string &file : untracked)
    unknown.insert(file);
  if (unknown.empty())
    return false;
  for (const ExtractedUnit &unit : tree.parsed)
    for (const FileInput &input : unit.record.inputs)
      if (unknown.contains(input.path))
        return true;
  const FileTable &files = tree.cache.files();
  for (const StoredUnit *unit : tree.unchanged)
    for (FileVersionId input : unit->files.inputs)
      if (input.value < files.versions.size() &&
          unknown.contains(files.paths[files.versions[input.value].path.value]))
        return true;
  return false;
}

/// The units of the tree for the store; those with graphs in the cache are copied as bytes.
BaselineUnits unitsFor(Tree &tree) {
  BaselineUnits units;
  units.cache = &tree.cache;
  for (const StoredUnit *unit : tree.unchanged)
    units.cached.push_back(unit->id);
  for (std::size_t i = 0; i < tree.parsed.size(); ++i)
    if (tree.parsedRows[i].isValid())
      units.cached.push_back(tree.parsedRows[i]);
    else
      units.parsed.push_back({&tree.parsed[i].record, &tree.parsed[i].names});
  return units;
}

} // namespace

BaselineInfo describeBaseline(const std::string &name, bool lineSensitive, const Tree &tree,
                              Context &context) {
  BaselineInfo info;
  std::optional<GitState> git = stateOf(tree.paths.root, context);
  if (git)
    info.commit = git->commit;
  info.name = name;
  info.environment = describeExtraction(lineSensitive);
  if (info.name.empty() && !info.commit.empty()) {
    bool isDirty = git->isDirty || readsUntracked(tree, git->untracked);
    info.name = info.commit + (isDirty ? "-dirty" : "");
    if (isDirty)
      context.info("the work tree differs from its commit: the baseline is named " + info.name);
  }
  if (info.name.empty())
    info.name = "work-tree";
  info.recordedAt = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return info;
}

llvm::Error saveBaseline(const BaselineInfo &info, Tree &tree, const ProgramPlan &plan,
                         const Names &names, const CoverageMatrix *coverage) {
  llvm::Expected<Store> store = Store::open(storePath(tree.paths), OpenMode::Write);
  if (!store)
    return store.takeError();
  return store->saveBaseline(info, unitsFor(tree), {&plan, &names}, coverage);
}

llvm::Expected<RecordLock> RecordLock::take(const ProjectPaths &paths) {
  std::string path = stateDirectory(paths) + "/record.lock";
  RecordLock lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.file_ < 0)
    return error("{}: cannot be written: {}", path, std::strerror(errno));
  if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0)
    return error("{}: another `retest record` or `run` is at work here; wait for its end",
                 paths.build);
  return lock;
}

RecordLock::~RecordLock() {
  if (file_ >= 0)
    close(file_);
}

} // namespace retest
