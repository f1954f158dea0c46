#pragma once

#include "build/link_plan.h"
#include "build/made_files.h"
#include "select/select_tests.h"

#include <llvm/ADT/ArrayRef.h>

#include <vector>

namespace retest {

/// Programs and libraries that a command of the project links, or that are made from objects and
/// sources of such commands, and that the next build would make anew from something that is newer.
///
/// A script of CMake or Meson is known with all that it links. A command may take more: it waits
/// for what it is told to (DEPENDS), and nobody knows what for. With make nobody tells whether a
/// command runs: what is made from its objects counts always.
std::vector<FileChange> outdatedBinaries(const LinkPlan &links, const MadeFiles &made,
                                         const ProjectPaths &paths,
                                         llvm::ArrayRef<RecordedTest> tests);

} // namespace retest
