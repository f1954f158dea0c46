#pragma once

#include "cov/region_finder.h"

#include <llvm/ADT/BitVector.h>

namespace retest {

/// One side of a branch, as alternatives: the edge was crossed if one of them was.
struct BranchSide {
  RegionList branches; ///< none: nothing tells the sides apart
  bool isTrue = true;

  bool operator==(const BranchSide &) const = default;
};

/// What proves that a test crossed an edge of a flow graph, in terms of the function's coverage
/// record: the regions around both of its ends and, for `T` and `F`, the side of the branch.
struct FlowWitness {
  std::vector<RegionList> nodes; ///< by node; none: only the way there tells
  std::vector<BranchSide> edges; ///< by edge
};

FlowWitness witnessOf(const FlowGraph &flow, const RegionFinder &finder, const Names &names);

struct EdgeCounts {
  std::size_t edges = 0;
  std::size_t exact = 0; ///< of these: with an exact witness
};

/// How many edges have an exact witness: their side is counted, or there is no other way out of a
/// node that is known, or no other way into one. Calls apart: whether one came back or threw is
/// mostly not counted.
struct WitnessCounts {
  EdgeCounts flow;  ///< Flow edges
  EdgeCounts calls; ///< Path and Exception edges

  void add(const FlowGraph &flow, const FlowWitness &witness);
};

/// Which edges one process may have crossed.
struct CrossedEdges {
  llvm::BitVector edges; ///< by edge
  /// The counts contradict the graph, so that all edges are taken as crossed.
  bool isInconsistent = false;
};

/// The edges that a process may have crossed which entered the function and left these `hits`.
///
/// Walks from the entry along the edges whose witnesses hold. Too many is fine, too few is not, so
/// where the counts do not fit the graph (a hit region that no path leads to, a branch that goes
/// nowhere) all edges count.
CrossedEdges crossedEdges(const FlowGraph &flow, const FlowWitness &witness,
                          llvm::ArrayRef<RegionHit> hits);

} // namespace retest
