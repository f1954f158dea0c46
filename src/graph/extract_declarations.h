#pragma once

#include "graph/extract_context.h"

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SetVector.h>

namespace retest {

/// What a unit defines in files of the project, in the order of the source.
struct Declarations {
  llvm::SetVector<const clang::FunctionDecl *> functions; ///< with a body
  llvm::SetVector<const clang::RecordDecl *> records;     ///< complete
  llvm::SetVector<const clang::VarDecl *> variables;      ///< static storage, not local
  /// Declared as another name for a function, or chosen at load time: no body, but a meaning.
  llvm::SetVector<const clang::FunctionDecl *> aliases;
  /// Declared here under the symbol of another variable.
  llvm::SetVector<const clang::VarDecl *> variableAliases;
  /// Static locals in named sections, which somebody reads without naming them.
  llvm::SetVector<const clang::VarDecl *> placedLocals;
  /// Outside of functions, and not known to be without effect: assembly, OpenMP, ...
  llvm::SetVector<const clang::Decl *> unmodelled;
};

/// Only top-level declarations that stand in files of the project are read: template
/// instantiations hang below their template, so this finds all that belongs to the project
/// without walking through the headers of the system.
Declarations collectDeclarations(UnitContext &unit);

} // namespace retest
