#pragma once

#include "graph/extract_unwinding.h"

#include <clang/Analysis/CFG.h>

namespace retest {

/// The destructor of the class, if it has one that does something; else null.
const clang::CXXDestructorDecl *destructorOf(const clang::CXXRecordDecl *record);
/// The same for objects of the type or the elements of an array.
const clang::CXXDestructorDecl *destructorOf(clang::ASTContext &ast, clang::QualType type);

/// Where objects end with a statement: at the brace of a block; else where the statement begins,
/// since its last word may be one that was never reached (`return a ? b : c`, a loop's body).
clang::SourceRange endOfScope(const clang::Stmt *trigger);

/// The end of an object on a normal path.
struct Destruction {
  const clang::CXXDestructorDecl *destructor = nullptr; ///< null if nothing runs
  const clang::VarDecl *variable = nullptr;             ///< the local that ends, if it is one
  clang::CFGElement::Kind kind = clang::CFGElement::LifetimeEnds;
  clang::SourceRange where;
  llvm::SmallVector<int, 1> steps = {Unwinding::kLeaves}; ///< behind what it throws, as stepsAt
  bool isDelete = false;                                  ///< through a pointer, so it may dispatch
};

Destruction destructionAt(clang::ASTContext &ast, const Unwinding &unwinding,
                          const clang::CFGImplicitDtor &element);

} // namespace retest
