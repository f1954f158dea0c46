#include "cli/bazel_steering.h"

#include "build/paths.h"
#include "support/git.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <set>

namespace retest {

llvm::Expected<std::string> steeredBy(const std::vector<std::string> &changed,
                                      const BazelTests &bazel, const std::string &root) {
  std::vector<std::string> files = filesOfWorkTree(root).value_or(std::vector<std::string>());
  std::vector<std::string> pending;
  llvm::copy_if(files, std::back_inserter(pending), isBazelFile);
  std::set<std::string> read;
  std::string told, steering;
  while (!pending.empty()) { // a file that is imported may have any name
    std::string file = std::move(pending.back());
    pending.pop_back();
    auto text = llvm::MemoryBuffer::getFile(joinPath(root, file));
    if (!read.insert(file).second || !text)
      continue;
    told += (*text)->getBuffer().str() + "\n";
    if (isBuildFile(file))
      continue;
    steering += (*text)->getBuffer().str() + "\n";
    for (const std::string &imported : importsOf((*text)->getBuffer(), root)) {
      if (!llvm::sys::fs::exists(imported))
        continue;
      llvm::StringRef name = imported;
      if (!name.consume_front(root + "/") || !llvm::is_contained(files, name))
        return fmt::format("{} imports {}, which git does not have", file, imported);
      pending.push_back(name.str());
    }
  }
  std::set<std::string> used, others, tools;
  for (const BazelSource &source : bazel.sources)
    used.insert(source.path);
  for (const BazelSource &source : bazel.others)
    others.insert(source.path);
  auto steered = bazelSourcesOf(root, bazel, labelsIn(steering));
  if (!steered)
    return steered.takeError();
  for (const BazelSource &source : *steered)
    tools.insert(source.path);
  for (const std::string &file : changed) {
    std::string written = joinPath(root, file), path = realPath(written);
    if (llvm::sys::fs::is_symlink_file(written))
      return file + " has changed, which is a link: what it leads to is not followed";
    bool isNamed = llvm::StringRef(told).contains(llvm::sys::path::filename(file));
    if (tools.count(path) || others.count(path) || (!used.count(path) && isNamed))
      return file + " has changed, which Bazel may be told by";
  }
  return "";
}

} // namespace retest
