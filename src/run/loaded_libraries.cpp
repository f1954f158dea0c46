#include "run/loaded_libraries.h"

#include "run/program_file.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace retest {

std::vector<std::string> loadedLibraries(const std::string &program) {
  ProgramFile file = readProgramFile(program);
  if (!file.isBinary || file.interpreter.empty())
    return {};
  auto result = runProcess(
      {.arguments = {file.interpreter, "--list", program}, .timeout = std::chrono::seconds(20)});
  if (!result) {
    llvm::consumeError(result.takeError());
    return {};
  }
  // "	libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f...)", "	/lib64/ld.so (0x...)"
  std::vector<std::string> libraries;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(result->output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    llvm::StringRef path = line.contains(" => ") ? line.split(" => ").second : line;
    path = path.substr(0, path.rfind(" (")).trim();
    if (path.starts_with("/"))
      libraries.push_back(path.str());
  }
  llvm::sort(libraries);
  return libraries;
}

} // namespace retest
