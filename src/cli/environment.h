#pragma once

#include "cli/tree.h"
#include "run/environment_part.h"

namespace retest {

/// What beside its code decides how the tests of a project behave (C15), sorted:
///
///     compiler P         of all units
///     loader             what decides where shared libraries are found
///     link flags         of a binary: all words of its link command but its inputs
///     library P          that is linked with a binary, or loaded with it, from outside the project
///
/// With `recorded` (what this was for a baseline), programs need not be built: libraries are looked
/// for where they were, unless the loader would look elsewhere now.
std::vector<EnvironmentPart> environmentOf(Tree &tree,
                                           const std::vector<EnvironmentPart> *recorded = nullptr);

} // namespace retest
