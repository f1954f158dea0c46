#include "report/source_text.h"

#include <llvm/ADT/StringExtras.h>

namespace retest {
namespace {

/// How long the token at the start of `text` is: a word or number, a literal, `++`, `--`, or one
/// character.
std::size_t tokenLength(llvm::StringRef text) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  std::size_t length = 0;
  while (length < text.size() && isWord(text[length]))
    ++length;
  if (length < text.size() && (text[length] == '"' || text[length] == '\'')) {
    char quote = text[length++];
    while (length < text.size() && text[length] != quote)
      length += text[length] == '\\' ? 2 : 1;
    ++length;
  }
  if (text.starts_with("++") || text.starts_with("--"))
    length = 2;
  return std::min(std::max<std::size_t>(length, 1), text.size());
}

/// Blanks and line ends as one blank.
std::string onOneLine(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

} // namespace

std::string sourceText(const SourceLines &lines, const SourceRange &range, const Names &names) {
  constexpr std::uint32_t kMostLines = 20;
  SourcePosition begin = range.begin, end = range.end;
  if (!begin.isKnown())
    return "";
  if (end.file != begin.file || end.line < begin.line || end.line - begin.line > kMostLines)
    end = begin; // through macros, or a whole function
  llvm::StringRef file = names.text(begin.file);
  std::string text;
  for (std::uint32_t number = begin.line; number <= end.line; ++number) {
    std::string line = lines(file, number);
    llvm::StringRef part = line;
    if (number == end.line)
      part = part.take_front(
          end.column - 1 +
          tokenLength(part.drop_front(std::min<std::size_t>(end.column - 1, part.size()))));
    if (number == begin.line)
      part = part.drop_front(std::min<std::size_t>(begin.column - 1, part.size()));
    text += part.str() + "\n";
  }
  return onOneLine(text);
}

} // namespace retest
