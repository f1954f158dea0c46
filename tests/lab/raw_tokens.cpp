#include "tests/lab/raw_tokens.h"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>

namespace retest {

std::vector<RawToken> rawTokens(const std::string &source) {
  clang::LangOptions language;
  language.LineComment = language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  const char *start = source.data();
  clang::Lexer lexer({}, language, start, start, start + source.size());
  std::vector<RawToken> result;
  bool inDirective = false;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine())
      inDirective = token.is(clang::tok::hash);
    unsigned end = lexer.getCurrentBufferOffset(), begin = end - token.getLength();
    result.push_back(
        {begin, end, token.getKind(), llvm::StringRef(start + begin, end - begin), inDirective});
  }
  return result;
}

llvm::ArrayRef<RawToken> tokensWithin(llvm::ArrayRef<RawToken> tokens, unsigned begin,
                                      unsigned end) {
  auto before = [](unsigned limit) {
    return [limit](const RawToken &token) { return token.begin < limit; };
  };
  auto first = llvm::partition_point(tokens, before(begin));
  auto last = llvm::partition_point(tokens, before(end));
  return {first, last};
}

} // namespace retest
