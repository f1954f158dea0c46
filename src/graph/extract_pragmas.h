#pragma once

#include "graph/extract_macros.h"
#include "support/fingerprint.h"

#include <clang/Lex/Preprocessor.h>

namespace retest {

/// The pragmas of the project that are in force: they change what files from outside mean that are
/// read under them, though not the tokens of those.
///
///     #pragma pack(1)
///     #include <library.h>
///
/// What is popped again, or concerns diagnostics and the like, does not count.
class ProjectPragmas {
public:
  ProjectPragmas(clang::Preprocessor &preprocessor, Places &places);
  ProjectPragmas(const ProjectPragmas &) = delete;

  /// Of what is in force now; 0 if that is nothing.
  std::uint64_t state() const { return state_; }

  /// Of those that hold for the whole unit, wherever they stand; zero if there are none.
  Fingerprint ofUnit() const;

private:
  class Callbacks;
  struct Pragma {
    std::string kind; ///< "pack", "clang fp"
    std::string text; ///< " pack ( push , 1 )", with what the macros in it stand for
  };

  Pragma read(clang::SourceLocation place);
  std::vector<std::string> wordsAt(clang::SourceLocation place) const;
  std::vector<std::string> wordsOf(llvm::StringRef text) const;
  void addMacros(llvm::StringRef word, unsigned depth, std::string &text) const;
  void add(Pragma pragma);

  const clang::Preprocessor &preprocessor_;
  const clang::SourceManager &sources_;
  Places &places_;
  Macros macros_;
  std::vector<Pragma> inForce_;
  std::uint64_t state_ = 0;
};

} // namespace retest
