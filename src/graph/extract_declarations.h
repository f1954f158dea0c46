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
};

/// Only top-level declarations that stand in files of the project are read: template
/// instantiations hang below their template, so this finds all that belongs to the project
/// without walking through the headers of the system.
Declarations collectDeclarations(UnitContext &unit);

} // namespace retest
