#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// An entry of compile_commands.json as it is written, with its paths made absolute.
struct CompileEntry {
  std::string directory;
  std::string file;
  std::string output;                 ///< empty if the entry has none
  std::vector<std::string> arguments; ///< launchers and response files as they are
};

std::string compileDatabasePath(llvm::StringRef buildDirectory);

/// Reads `<buildDirectory>/compile_commands.json`; fails if there is none, if it is damaged and
/// if it is empty.
llvm::Expected<std::vector<CompileEntry>> readCompileEntries(llvm::StringRef buildDirectory);

} // namespace retest
