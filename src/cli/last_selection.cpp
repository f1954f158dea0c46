#include "cli/last_selection.h"

#include "cli/tree.h"
#include "report/selection_file.h"
#include "support/error.h"
#include "support/file_state.h"

#include <fmt/chrono.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

namespace {

std::string selectionPath(const ProjectPaths &paths) {
  return stateDirectory(paths) + "/selection";
}

} // namespace

llvm::Error saveSelection(const ProjectPaths &paths, const SelectionReport &report) {
  createStateDirectory(stateDirectory(paths));
  // Whole or not at all: another process may read it.
  return llvm::writeToOutput(selectionPath(paths), [&](llvm::raw_ostream &out) -> llvm::Error {
    out << encodeReport(report);
    return llvm::Error::success();
  });
}

std::string timeOfSelection(const ProjectPaths &paths) {
  std::optional<FileStamp> stamp = stampOf(selectionPath(paths));
  if (!stamp)
    return "";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(stamp->modified / 1'000'000'000));
}

llvm::Expected<SelectionReport> loadSelection(const ProjectPaths &paths) {
  std::string path = selectionPath(paths);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return error("{}: no selection was made here yet; 'retest select' makes one", path);
  llvm::Expected<SelectionReport> report = decodeReport((*file)->getBuffer());
  if (!report)
    return error("{}: {}; 'retest select' makes another", path, llvm::toString(report.takeError()));
  return report;
}

} // namespace retest
