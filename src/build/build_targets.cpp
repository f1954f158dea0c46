#include "build/build_targets.h"

#include "build/file_api_reply.h"
#include "build/paths.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace retest {

namespace {

BuildTarget targetOf(const llvm::json::Object &object, const ProjectPaths &paths) {
  BuildTarget target;
  target.name = object.getString("name").value_or("").str();
  forEachIn(object, "artifacts", [&](const llvm::json::Object &artifact) {
    std::string path = absolutePath(paths.build, artifact.getString("path").value_or(""));
    target.files.push_back(paths.nameOf(path));
    // The reply has libx.so even if the file is libx.so.1.2 and libx.so a link to it.
    if (llvm::sys::fs::is_symlink_file(path))
      target.files.push_back(paths.nameOf(realPath(path)));
  });
  forEachIn(object, "dependencies", [&](const llvm::json::Object &other) {
    target.needed.push_back(other.getString("id").value_or("").str());
  });
  return target;
}

/// libx.so.1.2 is what is made for libx.so, also where neither is there yet.
bool isMadeAs(llvm::StringRef wanted, llvm::StringRef made) {
  return wanted == made || (made.ends_with(".so") && wanted.starts_with((made + ".").str()));
}

} // namespace

llvm::Expected<BuildTargets> readBuildTargets(const ProjectPaths &paths) {
  std::optional<FileApiReply> reply = newestReply(paths.build);
  if (!reply)
    return error("{}: CMake has not told its targets", paths.build);
  BuildTargets targets;
  std::set<std::string> configurations;
  llvm::Error failed = visitTargets(*reply, [&](const FileApiTarget &each) {
    configurations.insert(each.configuration.str());
    targets[each.target.getString("id").value_or("").str()] = targetOf(each.target, paths);
  });
  if (failed)
    return failed;
  if (configurations.size() > 1)
    return error("{}: has several configurations", paths.build);
  return targets;
}

ChosenTargets targetsMaking(const BuildTargets &targets, const std::set<std::string> &files) {
  std::set<std::string> reached; // ids
  std::vector<const BuildTarget *> open;
  auto reach = [&](const std::string &id, const BuildTarget &target) {
    if (reached.insert(id).second)
      open.push_back(&target);
  };
  ChosenTargets chosen;
  std::set<std::string> names;
  for (const std::string &file : files) {
    bool isMade = false;
    for (const auto &[id, target] : targets)
      if (llvm::any_of(target.files,
                       [&](const std::string &made) { return isMadeAs(file, made); })) {
        isMade = true;
        names.insert(target.name);
        chosen.files.insert(file);
        reach(id, target);
      }
    if (!isMade)
      chosen.unknown.push_back(file);
  }
  while (!open.empty()) {
    const BuildTarget &target = *open.back();
    open.pop_back();
    chosen.files.insert(target.files.begin(), target.files.end());
    for (const std::string &id : target.needed)
      if (auto needed = targets.find(id); needed != targets.end())
        reach(id, needed->second);
  }
  chosen.names.assign(names.begin(), names.end());
  return chosen;
}

} // namespace retest
