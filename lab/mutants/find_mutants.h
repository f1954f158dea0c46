#pragma once

#include "tests/lab/project_files.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace retest {

/// The files whose text may be changed: those of the project below some directories.
struct MutatedFiles {
  ProjectFiles project;
  std::vector<std::string> directories; ///< relative to the root; none: everywhere

  bool contains(llvm::StringRef file) const {
    return directories.empty() || llvm::any_of(directories, [&](llvm::StringRef directory) {
             return file.consume_front(directory) && file.starts_with("/");
           });
  }
};

/// One small change of a source file: `replacement` instead of the bytes from `begin` to `end`.
struct Mutant {
  std::string file; ///< relative to the root
  unsigned begin, end;
  std::string replacement;
  std::string kind; ///< "arithmetic", "condition", ...: what its finder tells
  unsigned line, column;
  std::string function; ///< in whose body it is, or what is declared

  auto operator<=>(const Mutant &) const = default;
};

/// Adds the mutants of all function bodies: of what is executed. Values that only the compiler uses
/// (types, `case` values, template arguments) and text in macros are left alone. Most compile;
/// whether one does is only known from trying. Templates are read as they are written.
void findMutants(clang::ASTContext &unit, const MutatedFiles &files, std::set<Mutant> &found);

/// Adds the mutants of what is declared: default arguments, enumerators, the order of members,
/// handlers, `virtual`, `noexcept`, values of macros and the like.
void findDeclarationMutants(clang::ASTContext &unit, const clang::Preprocessor &preprocessor,
                            const MutatedFiles &files, std::set<Mutant> &found);

} // namespace retest
