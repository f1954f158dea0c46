#include "cli/last_failed.h"

#include "cli/tree.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

namespace {

std::string pathOf(const ProjectPaths &paths) { return stateDirectory(paths) + "/last-failed"; }

} // namespace

std::optional<std::set<TestKey>> loadLastFailed(const ProjectPaths &paths) {
  auto file = llvm::MemoryBuffer::getFile(pathOf(paths), /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  // Binary and name in turn, a zero byte behind each.
  llvm::SmallVector<llvm::StringRef, 16> texts;
  (*file)->getBuffer().split(texts, '\0');
  std::set<TestKey> tests;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
    tests.emplace(texts[i].str(), texts[i + 1].str());
  return tests;
}

void saveLastFailed(const ProjectPaths &paths, const std::set<TestKey> &tests) {
  createStateDirectory(stateDirectory(paths));
  llvm::consumeError(llvm::writeToOutput(pathOf(paths), [&](llvm::raw_ostream &out) -> llvm::Error {
    for (const auto &[binary, name] : tests)
      out << binary << '\0' << name << '\0';
    return llvm::Error::success();
  }));
}

} // namespace retest
