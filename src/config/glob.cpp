#include "config/glob.h"

#include <string>
#include <vector>

namespace retest {

namespace {

enum class TokenKind {
  Letter,
  Any,         ///< one character
  AnyInPart,   ///< one, but no slash
  Text,        ///< any number
  TextInPart,  ///< any number, but no slash
  Directories, ///< nothing, or any number and a slash: `**/`
};

struct Token {
  TokenKind kind = TokenKind::Letter;
  char letter = 0;
};

std::vector<Token> tokensOf(llvm::StringRef pattern, bool isPath) {
  std::vector<Token> tokens;
  while (!pattern.empty()) {
    if (isPath && pattern.consume_front("**/"))
      tokens.push_back({TokenKind::Directories});
    else if (isPath && pattern.consume_front("**"))
      tokens.push_back({TokenKind::Text});
    else if (pattern.consume_front("*"))
      tokens.push_back({isPath ? TokenKind::TextInPart : TokenKind::Text});
    else if (pattern.consume_front("?"))
      tokens.push_back({isPath ? TokenKind::AnyInPart : TokenKind::Any});
    else {
      if (pattern.size() > 1)
        pattern.consume_front("\\");
      tokens.push_back({TokenKind::Letter, pattern.front()});
      pattern = pattern.drop_front();
    }
  }
  return tokens;
}

/// `ends[i]`: the tokens so far can stand for the first i characters. Each token moves these on.
bool matches(const std::vector<Token> &tokens, llvm::StringRef text) {
  std::vector<bool> ends(text.size() + 1);
  ends[0] = true;
  for (const Token &token : tokens) {
    std::vector<bool> next(ends.size());
    bool isOpen = false; // some earlier end, and nothing between that the token cannot stand for
    for (std::size_t i = 0; i <= text.size(); ++i) {
      char before = i > 0 ? text[i - 1] : 0;
      switch (token.kind) {
      case TokenKind::Letter:
        next[i] = i > 0 && ends[i - 1] && before == token.letter;
        break;
      case TokenKind::Any:
        next[i] = i > 0 && ends[i - 1];
        break;
      case TokenKind::AnyInPart:
        next[i] = i > 0 && ends[i - 1] && before != '/';
        break;
      case TokenKind::Text:
        next[i] = isOpen = isOpen || ends[i];
        break;
      case TokenKind::TextInPart:
        next[i] = isOpen = (isOpen && before != '/') || ends[i];
        break;
      case TokenKind::Directories:
        next[i] = ends[i] || (isOpen && before == '/');
        isOpen = isOpen || ends[i];
        break;
      }
    }
    ends = std::move(next);
  }
  return ends.back();
}

} // namespace

bool matchesName(llvm::StringRef pattern, llvm::StringRef name) {
  return pattern == name || matches(tokensOf(pattern, /*isPath=*/false), name);
}

bool matchesPath(llvm::StringRef pattern, llvm::StringRef path) {
  if (pattern.empty())
    return false;
  bool isAnywhere = !pattern.drop_back().contains('/');
  if (!pattern.consume_front("/"))
    while (pattern.consume_front("./"))
      isAnywhere = false;
  std::string whole = isAnywhere ? "**/" : "";
  whole += pattern;
  if (pattern.ends_with("/"))
    whole += "**";
  return matches(tokensOf(whole, /*isPath=*/true), path);
}

} // namespace retest
