#pragma once

#include "cli/tree.h"

namespace retest {

/// Whether each binary is what a build would make of the tree: else what runs is not what was read.
/// An error names the first that is not.
///
/// Ninja is asked. Of what another tool made times are all that is known: of each object and what
/// its unit was read from, and the flags, of each binary and its objects. With make, what a source
/// of another language than C and C++ includes is not looked at, nor what generated ones are made
/// from.
llvm::Error checkBuilt(const Tree &tree, const LinkPlan &links);

} // namespace retest
