#include "graph/extract_literals.h"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

std::optional<llvm::StringRef> positionMacro(const UnitContext &unit, SourceLocation literal) {
  static const llvm::StringSet<> kMacros = {"__LINE__",      "__COUNTER__",   "__FILE__",
                                            "__BASE_FILE__", "__FILE_NAME__", "__INCLUDE_LEVEL__",
                                            "__DATE__",      "__TIMESTAMP__", "__TIME__"};
  if (!unit.places.isInScratchSpace(literal))
    return std::nullopt;
  llvm::StringRef name =
      Lexer::getImmediateMacroName(literal, unit.places.sources(), unit.ast.getLangOpts());
  if (!kMacros.contains(name))
    return std::nullopt;
  return name;
}

namespace {

/// The place behind the character literal that begins at `at`, or 0 if there is none: 1'000 is a
/// number.
std::size_t behindCharacter(llvm::StringRef text, std::size_t at) {
  if (text[at] != '\'' || (at > 0 && llvm::isHexDigit(text[at - 1])))
    return 0;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '\'')
      return i + 1;
  }
  return 0;
}

} // namespace

std::string withoutLayout(llvm::StringRef stringified) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string text;
  bool isQuoted = false;
  for (std::size_t i = 0; i < stringified.size(); ++i) {
    char c = stringified[i];
    if (std::size_t end = isQuoted ? 0 : behindCharacter(stringified, i)) {
      text += stringified.slice(i, end);
      i = end - 1;
      continue;
    }
    if (c == '\\' && i + 1 < stringified.size() && stringified[i + 1] == '"')
      isQuoted = !isQuoted;
    if (isQuoted || !llvm::isSpace(c)) {
      text += c;
      continue;
    }
    char before = text.empty() ? '\0' : text.back();
    char after = i + 1 < stringified.size() ? stringified[i + 1] : '\0';
    if ((isWord(before) && isWord(after)) ||
        (before == after && llvm::StringRef("+-&|<>=").contains(before)))
      text += ' ';
  }
  return text;
}

namespace {

/// STRINGIFY(__LINE__): digits that happen to be the number of the line they are written for.
bool tellsItsLine(UnitContext &unit, SourceLocation location, llvm::StringRef spelling) {
  unsigned number = 0;
  if (spelling.trim('"').getAsInteger(10, number))
    return false;
  return number == unit.places.sources().getExpansionLineNumber(location) &&
         unit.macros.tellPosition(location);
}

/// Made by #; a literal that was pasted (L ## "a, b") has a prefix or suffix, and its blanks count.
bool isStringified(llvm::StringRef spelling) {
  return spelling.starts_with("\"") && spelling.ends_with("\"");
}

} // namespace

std::uint64_t hashOfString(UnitContext &unit, const StringLiteral *literal, bool isArgument,
                           bool &isExact) {
  auto isWritten = [&](SourceLocation token) { return !unit.places.isInScratchSpace(token); };
  if (std::all_of(literal->tokloc_begin(), literal->tokloc_end(), isWritten)) {
    isExact = true;
    return llvm::xxh3_64bits(literal->getBytes());
  }
  isExact = false;
  std::string text;
  for (auto token = literal->tokloc_begin(); token != literal->tokloc_end(); ++token) {
    llvm::SmallString<64> buffer;
    llvm::StringRef spelling =
        Lexer::getSpelling(unit.places.sources().getSpellingLoc(*token), buffer,
                           unit.places.sources(), unit.ast.getLangOpts());
    std::optional<llvm::StringRef> macro = positionMacro(unit, *token);
    bool isLine = !macro && !isWritten(*token) && tellsItsLine(unit, *token, spelling);
    if ((macro || isLine) && isArgument && !unit.options.lineSensitive)
      text += macro.value_or("__LINE__").str();
    else
      text += isWritten(*token) || macro || !isStringified(spelling) ? spelling.str()
                                                                     : withoutLayout(spelling);
    text += '\n';
  }
  return llvm::xxh3_64bits(text);
}

} // namespace retest
