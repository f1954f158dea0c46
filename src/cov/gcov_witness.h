#pragma once

#include "cov/flow_witness.h"
#include "cov/gcov_notes.h"

namespace retest {

/// What proves that a test was at a node, in terms of GCC's blocks: RegionList has the blocks that
/// GCC says lie on the lines of the node. Whoever was at the node passed one of them.
///
/// A node for which GCC makes no code (a constant as a statement) would be tied to what else stands
/// on its line. It gets no blocks, so that only the way there tells, unless all that is on its
/// lines runs whenever it does:
///
///     case 1: 5; break; case 2: f(); break;      // nothing tells whether `5` ran
///     if (c) { 5; } else { f(); }                // the line has the condition as well
///
/// Destructors that run by themselves have none either: GCC has one piece of code for several ways
/// out of a block, at the place where the block ends.
///
/// `files`: by GcovLine::file.
FlowWitness gcovWitness(const FlowGraph &flow, const GcovFunction &function,
                        llvm::ArrayRef<NameId> files, const Names &names);

/// The same with only those nodes whose blocks are theirs alone, to tell how exact it is.
FlowWitness exactPart(const FlowWitness &witness);

} // namespace retest
