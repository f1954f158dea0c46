#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <string>

namespace retest {

/// A piece of a file of the project.
struct ProjectText {
  std::string file; ///< relative to the root
  clang::FileID id;
  unsigned begin, end; ///< offsets; end is behind the last token
};

/// The files that the lab edits: all below the root but for the build directory.
struct ProjectFiles {
  std::string root, build; ///< real paths

  /// The text of a declaration, with macros that it begins or ends in as a whole. Nothing if it is
  /// not in one file, or not in a file of the project.
  std::optional<ProjectText> text(const clang::SourceManager &sources,
                                  clang::SourceRange range) const;
};

/// Whether the text of the range can be written around: it neither begins nor ends inside of a
/// macro's body or argument (the argument may be used twice, or as text).
bool isOutsideOfMacros(const clang::ASTContext &unit, clang::SourceRange range,
                       const ProjectText &text);

/// Whether a line of the text, but for the first, is a directive of the preprocessor.
bool hasDirective(const clang::SourceManager &sources, const ProjectText &text);

} // namespace retest
