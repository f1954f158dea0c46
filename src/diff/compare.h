#pragma once

#include "diff/delta.h"

namespace retest {

/// Everything that differs between two versions of a project, and the baseline edges that are
/// dangerous because of it.
///
/// In two phases: units are told apart by their fingerprints; only inside those that differ, and
/// where something that changed is used, the graphs are walked. So an edit of one function costs
/// what its unit costs, whatever the size of the program. Changes of classes, variables and of what
/// is linked cost one look at the nodes of the programs concerned.
///
/// REQUIRES: both projects share `names`.
Delta compare(const Project &baseline, const Project &current, const Names &names,
              const Rules &rules = {});

} // namespace retest
