#include "build/cmake_targets.h"

#include "build/file_api_reply.h"
#include "build/paths.h"
#include "support/error.h"

namespace retest {

llvm::Expected<std::map<std::string, std::string>> cmakeTargets(const ProjectPaths &paths) {
  std::optional<FileApiReply> reply = newestReply(paths.build);
  if (!reply)
    return error("{}: has no answer of CMake's file API, which knows the targets; `retest init` "
                 "prepares a build directory that has",
                 paths.build);
  std::map<std::string, std::string> targets;
  auto add = [&](const FileApiTarget &each) {
    std::string target = each.target.getString("name").value_or("").str();
    forEachIn(each.target, "artifacts", [&](const llvm::json::Object &artifact) {
      std::string path = absolutePath(paths.build, artifact.getString("path").value_or(""));
      // Of a library with a version, the reply may name the link that leads to its file.
      for (const std::string &each : {path, realPath(path)})
        targets.emplace(paths.nameOf(each), target);
    });
  };
  if (llvm::Error failed = visitTargets(*reply, add))
    return failed;
  return targets;
}

} // namespace retest
