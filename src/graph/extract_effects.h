#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Analysis/CFG.h>

namespace retest {

/// The expressions of a body that do something by themselves, though they are no calls:
/// assignments, `++`, atomic operations, casts that throw.
///
///     h(x++, g())
///
/// Left to itself, Clang's flow graph has `x++` as a part of the call of h, behind g(), so that an
/// execution in which g() throws would not reach it. As elements of their own they come where they
/// run.
clang::CFG::BuildOptions::ForcedBlkExprs effectsIn(clang::ASTContext &ast, const clang::Decl *owner,
                                                   const clang::Stmt *body);

} // namespace retest
