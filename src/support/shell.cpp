#include "support/shell.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

std::string shellQuoted(llvm::StringRef word) {
  constexpr llvm::StringLiteral kPlain = "-_./:=+,@%";
  // A word that begins with `=` means something to zsh.
  if (!word.empty() && word.front() != '=' &&
      llvm::all_of(word, [&](char c) { return llvm::isAlnum(c) || kPlain.contains(c); }))
    return word.str();
  std::string result = "'";
  for (char c : word)
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  return result + "'";
}

std::string shellCommand(llvm::ArrayRef<std::string> words) {
  std::string result;
  for (const std::string &word : words)
    result += (result.empty() ? "" : " ") + shellQuoted(word);
  return result;
}

} // namespace retest
