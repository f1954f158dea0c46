#include "cli/source_lines.h"

#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <memory>

namespace retest {

SourceLines sourceLinesOf(const ProjectPaths &paths, std::optional<FileContents> contents) {
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    llvm::SmallVector<llvm::StringRef, 0> lines;
  };
  auto files = std::make_shared<std::map<std::string, File>>();
  auto isCurrent = [contents](const std::string &name, llvm::StringRef text) {
    if (!contents)
      return true;
    auto recorded = contents->find(name);
    return recorded != contents->end() && recorded->second == fingerprintOf(text);
  };
  return [files, paths, isCurrent](llvm::StringRef name, std::uint32_t line) -> std::string {
    auto [entry, isNew] = files->try_emplace(name.str());
    File &file = entry->second;
    if (isNew)
      if (auto buffer = llvm::MemoryBuffer::getFile(paths.pathOf(name));
          buffer && isCurrent(name.str(), (*buffer)->getBuffer())) {
        file.text = std::move(*buffer);
        file.text->getBuffer().split(file.lines, '\n');
      }
    return line >= 1 && line <= file.lines.size() ? file.lines[line - 1].rtrim('\r').str() : "";
  };
}

} // namespace retest
