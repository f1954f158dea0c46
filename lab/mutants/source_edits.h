#pragma once

#include "lab/mutants/find_mutants.h"

namespace retest {

/// Writes mutants down, as far as their text can be edited: it has to be in a file of the project
/// that may be mutated, outside of macros, with no directive inside.
class SourceEdits {
public:
  SourceEdits(clang::ASTContext &unit, const MutatedFiles &files, std::set<Mutant> &found)
      : unit_(unit), sources_(unit.getSourceManager()), files_(files), found_(found) {}

  std::optional<ProjectText> writtenText(clang::SourceRange range) const;
  llvm::StringRef textOf(const ProjectText &text) const;
  bool isMutated(const clang::Decl *declaration) const;

  void add(const char *kind, const ProjectText &text, std::string replacement,
           const std::string &function);
  void replace(const char *kind, clang::SourceRange range, std::string replacement,
               const std::string &function);
  /// before + text + after
  void wrap(const char *kind, clang::SourceRange range, llvm::StringRef before,
            llvm::StringRef after, const std::string &function);
  /// The one instead of the other; what is between them stays.
  void exchange(const char *kind, clang::SourceRange one, clang::SourceRange next,
                const std::string &function);
  /// Puts text where nothing was: behind the token there.
  void insertBehind(const char *kind, clang::SourceLocation token, std::string text,
                    const std::string &function);

private:
  clang::ASTContext &unit_;
  const clang::SourceManager &sources_;
  const MutatedFiles &files_;
  std::set<Mutant> &found_;
};

} // namespace retest
