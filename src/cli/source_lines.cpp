#include "cli/source_lines.h"

#include "support/process.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <memory>

namespace retest {

namespace {

std::optional<std::string> contentOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
}

/// A file of the project as a commit has it.
std::optional<std::string> contentAt(const std::string &commit, const std::string &root,
                                     const std::string &name) {
  bool isInTree = !name.empty() && name.front() != '/' && name.front() != '<';
  if (commit.empty() || !llvm::all_of(commit, llvm::isHexDigit) || !isInTree)
    return std::nullopt;
  llvm::Expected<ProcessResult> blob =
      runProcess({.arguments = {"git", "cat-file", "blob", commit + ":./" + name},
                  .directory = root,
                  .environment = {{"LC_ALL", "C"}}});
  if (!blob) {
    llvm::consumeError(blob.takeError()); // without git there is no source, which is said
    return std::nullopt;
  }
  return blob->succeeded() ? std::optional(std::move(blob->output)) : std::nullopt;
}

} // namespace

std::optional<std::string> recordedText(const RecordedFiles &recorded, const ProjectPaths &paths,
                                        const std::string &name) {
  auto known = recorded.contents.find(name);
  if (known == recorded.contents.end())
    return std::nullopt;
  for (bool isFromGit : {false, true}) {
    std::optional<std::string> text =
        isFromGit ? contentAt(recorded.commit, paths.root, name) : contentOf(paths.pathOf(name));
    if (text && fingerprintOf(*text) == known->second)
      return text;
  }
  return std::nullopt;
}

SourceLines sourceLinesOf(const ProjectPaths &paths, std::optional<RecordedFiles> recorded) {
  struct File {
    std::string text;
    llvm::SmallVector<llvm::StringRef, 0> lines; ///< of `text`
  };
  auto files = std::make_shared<std::map<std::string, File>>();
  return [files, paths, recorded = std::move(recorded)](llvm::StringRef name,
                                                        std::uint32_t line) -> std::string {
    auto [entry, isNew] = files->try_emplace(name.str());
    File &file = entry->second;
    if (isNew)
      if (auto text = recorded ? recordedText(*recorded, paths, name.str())
                               : contentOf(paths.pathOf(name))) {
        file.text = std::move(*text);
        llvm::StringRef(file.text).split(file.lines, '\n');
      }
    return line >= 1 && line <= file.lines.size() ? file.lines[line - 1].rtrim('\r').str() : "";
  };
}

} // namespace retest
