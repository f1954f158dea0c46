#pragma once

#include "graph/extract_macros.h"
#include "support/fingerprint.h"

#include <clang/Lex/Preprocessor.h>

namespace retest {

/// The pragmas of the project that are in force where it includes a file from outside, or that hold
/// for the whole unit. They change what that file means, though not its tokens:
///
///     #pragma pack(1)
///     #include <library.h>
///
/// What is popped again, or concerns diagnostics and the like, does not count.
class ProjectPragmas {
public:
  ProjectPragmas(clang::Preprocessor &preprocessor, Places &places);
  ProjectPragmas(const ProjectPragmas &) = delete;

  /// Zero if no pragma counts.
  Fingerprint finish() const;

private:
  class Callbacks;
  struct Pragma {
    std::string kind; ///< "pack"
    std::string text; ///< "pack ( push , 1 )"
  };

  Pragma read(clang::SourceLocation place);
  Pragma readLine(clang::SourceLocation place) const;
  void add(Pragma pragma);
  void enterOther();

  const clang::Preprocessor &preprocessor_;
  const clang::SourceManager &sources_;
  Places &places_;
  Macros macros_;
  std::vector<Pragma> inForce_;
  std::vector<std::string> seenByOthers_; ///< for each file outside that met some
};

} // namespace retest
