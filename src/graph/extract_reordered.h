#pragma once

#include <clang/Analysis/CFG.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {

/// The block and index of each statement that is an element of its own.
using ElementPlaces = llvm::DenseMap<const clang::Stmt *, std::pair<unsigned, unsigned>>;

/// For elements that Clang's graph has first though others run before them: those others.
using Reordered = llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::Stmt *, 1>>;

/// The operands of an expression as they run, one after the other. (Those of ?: are alternatives.)
llvm::SmallVector<const clang::Stmt *, 4> operandsAsTheyRun(const clang::Stmt *expression);

/// Finds the elements that run earlier than Clang's flow graph says:
///
///     [a = f(), b = g()] {}      f, g; in the graph g, f
///     left() += right();         right, left; in the graph left, right
///     new (f(), g()) T[n()]      n, f, g; in the graph g, f, n
///     int a[f()][g()];           f, g; in the graph g, f
///
/// If g() throws, f() has run, but an execution never reaches f() in the graph. So the meaning of
/// f() belongs to the element that comes first there, which is g().
Reordered findReordered(const clang::CFG &cfg, const ElementPlaces &places);

} // namespace retest
