#include "cli/source_lines.h"

#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <memory>

namespace retest {

SourceLines sourceLinesOf(const ProjectPaths &paths) {
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    llvm::SmallVector<llvm::StringRef, 0> lines;
  };
  auto files = std::make_shared<std::map<std::string, File>>();
  return [files, paths](llvm::StringRef name, std::uint32_t line) -> std::string {
    auto [entry, isNew] = files->try_emplace(name.str());
    File &file = entry->second;
    if (isNew)
      if (auto buffer = llvm::MemoryBuffer::getFile(paths.pathOf(name))) {
        file.text = std::move(*buffer);
        file.text->getBuffer().split(file.lines, '\n');
      }
    return line >= 1 && line <= file.lines.size() ? file.lines[line - 1].rtrim('\r').str() : "";
  };
}

} // namespace retest
