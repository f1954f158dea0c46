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

  /// What may tell where a macro is called.
  enum Position : unsigned { kLine = 1, kCounter = 2 };

  /// Which of __LINE__ and __COUNTER__ may be at work in a token that no file contains (pasted with
  /// ##, made by #): one of the macros that wrote it, or one in the macro call, mentions them.
  unsigned positionsAt(clang::SourceLocation location);

  /// Whether a number is what __LINE__ may be in the outermost macro call at `location` (Clang
  /// takes the last line of the call).
  bool isLineOfCall(clang::SourceLocation location, llvm::StringRef number) const;

  /// The tokens of the outermost macro call at `location`, as they are written.
  std::vector<std::string> call(clang::SourceLocation location);

private:
  unsigned positionsIn(llvm::StringRef name);
  unsigned positionsIn(const clang::IdentifierInfo *name);

  const clang::Preprocessor &preprocessor_;
  Places &places_;
  /// What a macro, or one that it mentions, has in its definition.
  llvm::DenseMap<const clang::IdentifierInfo *, unsigned> mentions_;
};

} // namespace retest
