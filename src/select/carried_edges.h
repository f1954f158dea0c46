#pragma once

#include "diff/flow_walk.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>

#include <optional>

namespace retest {

/// The edges of the current function that a test crosses which crossed these of the baseline one.
///
/// Goes through both graphs in step, along the edges that the test crossed and by the pairs of the
/// walk, so that of a tail which is there twice now only the copy counts to which its way leads.
/// What a call has as a new way out, by an exception for example, counts as crossed, with all
/// behind it: that is what a recording would say, since it is not counted whether calls throw.
///
///     baseline   x -T-> a ; x -F-> b ; a -> end ; b -> end     crossed: x -T-> a ; a -> end
///     current    x -T-> a ; x -F-> b ; a -> end ; b -> end2    carried: x -T-> a ; a -> end
///
/// Nothing if an edge that it crossed has no counterpart. A test that crossed all edges crosses all
/// of the current ones.
/// REQUIRES: `pairs` are those of one FunctionChange, or of several for the same two functions.
std::optional<llvm::BitVector> carriedEdges(const FlowGraph &baseline, const FlowGraph &current,
                                            llvm::ArrayRef<EdgePair> pairs,
                                            const llvm::BitVector &crossed);

} // namespace retest
