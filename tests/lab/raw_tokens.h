#pragma once

#include <clang/Basic/TokenKinds.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace retest {

/// A token as it is written in a file; keywords are raw identifiers too.
struct RawToken {
  unsigned begin, end; ///< offsets
  clang::tok::TokenKind kind;
  llvm::StringRef text;
  bool inDirective; ///< of the preprocessor, the # included
};

/// All tokens of a source, which they refer to: no macro expanded, nothing compiled out, no
/// comments.
std::vector<RawToken> rawTokens(const std::string &source);

/// Those that begin in [begin, end).
llvm::ArrayRef<RawToken> tokensWithin(llvm::ArrayRef<RawToken> tokens, unsigned begin,
                                      unsigned end);

} // namespace retest
