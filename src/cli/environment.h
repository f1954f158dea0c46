#pragma once

#include "cli/tree.h"
#include "run/environment_part.h"

namespace retest {

/// What beside its code decides how the tests of a project behave (C15), sorted:
///
///     compiler P         of all units
///     loader             what decides where shared libraries are found
///     link flags         of a binary: all words of its link command but its inputs
///     discovery of tests of a program: how CTest comes to know its tests when it is built
///     library P          that is linked with a binary, or loaded with it, from outside the project
///
/// With `recorded` (what this was for a baseline), programs need not be built: libraries are looked
/// for where they were, unless the loader would look elsewhere now. With `unbuilt` that holds for
/// these binaries, by name, alone: the others lie there as they are now.
std::vector<EnvironmentPart> environmentOf(Tree &tree,
                                           const std::vector<EnvironmentPart> *recorded = nullptr,
                                           const llvm::StringSet<> *unbuilt = nullptr);

/// Whether these parts tell how the tests of the binary are discovered.
bool isDiscoveryRecorded(llvm::ArrayRef<EnvironmentPart> parts, llvm::StringRef binary);

} // namespace retest
