#pragma once

#include "graph/extract_places.h"

#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

namespace retest {

/// How tokens came out of macros.
class Macros {
public:
  Macros(const clang::Preprocessor &preprocessor, Places &places)
      : preprocessor_(preprocessor), places_(places) {}

  /// Whether a token that no file contains (pasted with ##, made by #) was made with the help of
  /// __LINE__ or __COUNTER__: one of the macros that wrote it, or one in the macro call, mentions
  /// them.
  bool tellPosition(clang::SourceLocation location);

  /// The tokens of the outermost macro call at `location`, as they are written.
  std::vector<std::string> call(clang::SourceLocation location);

private:
  bool mentionsPosition(llvm::StringRef name);
  bool mentionsPosition(const clang::IdentifierInfo *name);

  const clang::Preprocessor &preprocessor_;
  Places &places_;
  /// Whether a macro, or one that it mentions, has __LINE__ or __COUNTER__ in its definition.
  llvm::DenseMap<const clang::IdentifierInfo *, bool> mentions_;
};

} // namespace retest
