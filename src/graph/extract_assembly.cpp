#include "graph/extract_assembly.h"

#include "build/other_language.h"

#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

namespace retest {

Fingerprint filesIncludedBy(UnitContext &unit, llvm::StringRef assembly) {
  if (!assembly.contains_insensitive(".inc"))
    return {};
  // Clang hands the directories for headers on to its assembler.
  std::vector<std::string> directories = {""};
  for (const auto &entry :
       unit.preprocessor.getHeaderSearchInfo().getHeaderSearchOpts().UserEntries)
    directories.push_back(entry.Path);
  clang::FileManager &files = unit.ast.getSourceManager().getFileManager();
  FingerprintBuilder hash;
  for (const std::string &name : quotedIn(assembly))
    for (const std::string &directory : directories) {
      llvm::SmallString<128> path(directory);
      llvm::sys::path::append(path, name);
      if (auto file = files.getBufferForFile(path)) {
        hash.add((*file)->getBuffer());
        break;
      }
    }
  return hash.finish();
}

std::vector<Use> variablesNamedBy(UnitContext &unit, llvm::StringRef assembly) {
  auto isInWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::vector<Use> uses;
  while (!assembly.empty()) {
    llvm::StringRef word = assembly.take_while(isInWord);
    assembly = assembly.drop_front(std::max<std::size_t>(word.size(), 1));
    if (!word.empty() && !llvm::isDigit(word.front()))
      uses.push_back({UseKind::Variable, unit.variableOfSymbol(word)});
  }
  return uses;
}

} // namespace retest
