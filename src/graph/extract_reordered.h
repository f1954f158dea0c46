#pragma once

#include <clang/Analysis/CFG.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {

/// The block and index of each statement that is an element of its own.
using ElementPlaces = llvm::DenseMap<const clang::Stmt *, std::pair<unsigned, unsigned>>;

/// For elements that Clang's graph has first though others run before them: the expressions in
/// which that is so.
using Reordered = llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::Stmt *, 1>>;

/// Finds the expressions whose operands Clang's flow graph has in the opposite order to the one in
/// which they run:
///
///     [a = f(), b = g()] {}      f, g; in the graph g, f
///     left() = right();          right, left, where the operator is overloaded; in the graph
///                                left, right
///
/// If g() throws, f() has run, but an execution never reaches f() in the graph. So the meaning of
/// the whole expression belongs to the element that comes first there.
Reordered findReordered(const clang::CFG &cfg, const ElementPlaces &places);

} // namespace retest
