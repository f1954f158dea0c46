#include "cli/changed_files.h"

#include "build/paths.h"
#include "support/git.h"

#include <llvm/ADT/STLExtras.h>

#include <ctime>
#include <filesystem>
#include <optional>
#include <sys/stat.h>

namespace retest {

namespace {

/// Seconds; nothing if the text is none of ours.
std::optional<std::time_t> parseTime(const std::string &text) {
  std::tm time = {};
  if (!strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time))
    return std::nullopt;
  return timegm(&time);
}

/// By the time that nobody can set. In doubt it was; so it counts in that very second.
bool isTouchedSince(const std::string &path, std::optional<std::time_t> when) {
  struct stat status = {};
  return !when || (lstat(path.c_str(), &status) == 0 && status.st_ctime >= *when);
}

/// All files below a directory, relative to the root.
void addFilesBelow(const std::string &directory, const ProjectPaths &paths,
                   std::vector<std::string> &files) {
  using Walk = std::filesystem::recursive_directory_iterator;
  std::error_code ignored;
  for (Walk entry(directory, std::filesystem::directory_options::skip_permission_denied, ignored);
       entry != Walk(); entry.increment(ignored)) {
    std::string path = entry->path();
    bool isLink = entry->is_symlink(ignored);
    if (!isLink && entry->is_directory(ignored)) {
      if (path == paths.build || entry->path().filename() == ".git")
        entry.disable_recursion_pending();
      continue;
    }
    files.push_back(partBelow(path, paths.root).str());
  }
}

std::vector<std::string> filesOf(const ProjectPaths &paths) {
  if (std::optional<std::vector<std::string>> known = filesOfWorkTree(paths.root))
    return *known;
  std::vector<std::string> files;
  addFilesBelow(paths.root, paths, files);
  return files;
}

} // namespace

std::vector<std::string> changedFiles(const ProjectPaths &paths, const BaselineInfo &baseline) {
  std::vector<std::string> changed;
  std::optional<std::vector<std::string>> differing;
  if (!baseline.commit.empty())
    differing = filesChangedSince(paths.root, baseline.commit);
  if (differing)
    changed = *differing;
  if (!differing || baseline.name != baseline.commit) {
    std::optional<std::time_t> recorded = parseTime(baseline.recordedAt);
    for (const std::string &file : filesOf(paths))
      if (isTouchedSince(joinPath(paths.root, file), recorded))
        changed.push_back(file);
  }
  // A submodule is one path: what is in it is not known one by one.
  std::vector<std::string> files;
  for (const std::string &path : changed) {
    std::string whole = joinPath(paths.root, path);
    std::error_code ignored;
    if (std::filesystem::is_directory(std::filesystem::symlink_status(whole, ignored)))
      addFilesBelow(whole, paths, files);
    if (!isWithin(whole, paths.build))
      files.push_back(path);
  }
  llvm::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

} // namespace retest
