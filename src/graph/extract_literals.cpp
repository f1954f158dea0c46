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

std::string withoutPositions(llvm::StringRef text) {
  std::string clean;
  while (!text.empty()) {
    auto [before, after] = text.split(" at ");
    clean += before;
    llvm::StringRef opened = before.substr(before.rfind('('));
    bool isPosition = opened.starts_with("(lambda") || opened.starts_with("(unnamed") ||
                      opened.starts_with("(anonymous");
    if (isPosition)
      after = after.drop_while([](char c) { return c != ')'; });
    else if (before.size() < text.size())
      clean += " at ";
    text = after;
  }
  return clean;
}

std::string prettyText(UnitContext &unit, const PredefinedExpr *name,
                       const FunctionDecl *function) {
  bool isPretty = name->getIdentKind() == PredefinedIdentKind::PrettyFunction ||
                  name->getIdentKind() == PredefinedIdentKind::FuncSig ||
                  name->getIdentKind() == PredefinedIdentKind::LFuncSig;
  if (!isPretty || !name->getFunctionName())
    return {};
  std::string text = withoutPositions(name->getFunctionName()->getString());
  // Names that a framework made from a line, as in a test's function.
  for (const DeclContext *context = function; context; context = context->getParent())
    if (const auto *named = dyn_cast<NamedDecl>(context); named && named->getIdentifier())
      for (std::string written = named->getName().str(), lasting = unit.entities.simpleName(named);
           written != lasting && !written.empty();) {
        std::size_t found = text.find(written);
        if (found == std::string::npos)
          break;
        text.replace(found, written.size(), "?"); // the identity says which
      }
  return text;
}

std::vector<std::string> stringifiedTokens(llvm::StringRef literal, const LangOptions &language) {
  std::string source; // with one level of escapes undone
  literal = literal.drop_front().drop_back();
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 1 < literal.size())
      ++i;
    source += literal[i];
  }
  Lexer lexer(SourceLocation(), language, source.data(), source.data(),
              source.data() + source.size());
  std::vector<std::string> tokens;
  Token token;
  do {
    lexer.LexFromRawLexer(token);
    if (token.isNot(tok::eof))
      tokens.emplace_back(lexer.getBufferLocation() - token.getLength(), token.getLength());
  } while (token.isNot(tok::eof));
  return tokens;
}

namespace {

/// Made by #; a literal that was pasted (L ## "a, b") has a prefix or suffix, and its blanks count.
bool isStringified(llvm::StringRef spelling) {
  return spelling.size() >= 2 && spelling.starts_with("\"") && spelling.ends_with("\"");
}

/// Whether a number in stringified text is what __LINE__ became: it is the number of a line of the
/// macro call, __LINE__ was at work, and nobody wrote the number.
bool tellsItsLine(UnitContext &unit, SourceLocation location, llvm::StringRef token) {
  return unit.macros.isLineOfCall(location, token) &&
         (unit.macros.positionsAt(location) & Macros::kLine) &&
         !llvm::is_contained(unit.macros.call(location), token);
}

} // namespace

std::uint64_t hashOfString(UnitContext &unit, const StringLiteral *literal, bool isArgument,
                           bool &isExact) {
  auto isWritten = [&](SourceLocation token) { return !unit.places.isInScratchSpace(token); };
  // Elsewhere the text is a value, and its blanks count.
  if (!isArgument || std::all_of(literal->tokloc_begin(), literal->tokloc_end(), isWritten)) {
    isExact = true;
    return llvm::xxh3_64bits(literal->getBytes());
  }
  isExact = false;
  bool ignoresPosition = !unit.options.lineSensitive;
  std::string text;
  for (auto token = literal->tokloc_begin(); token != literal->tokloc_end(); ++token) {
    llvm::SmallString<64> buffer;
    llvm::StringRef spelling =
        Lexer::getSpelling(unit.places.sources().getSpellingLoc(*token), buffer,
                           unit.places.sources(), unit.ast.getLangOpts());
    std::optional<llvm::StringRef> macro = positionMacro(unit, *token);
    if (macro && ignoresPosition)
      text += *macro;
    else if (macro || isWritten(*token) || !isStringified(spelling))
      text += spelling;
    else
      for (const std::string &word : stringifiedTokens(spelling, unit.ast.getLangOpts())) {
        text += ignoresPosition && tellsItsLine(unit, *token, word) ? "__LINE__" : word;
        text += ' ';
      }
    text += '\n';
  }
  return llvm::xxh3_64bits(text);
}

} // namespace retest
