#pragma once

#include "cli/make_selection.h"

#include <set>

namespace retest {

/// What has to be built before tests are run.
struct TargetPlan {
  bool isAll = false;
  std::string why;                ///< of all: why, if it was not asked for
  std::vector<std::string> names; ///< for `cmake --build --target`; none: nothing is to be built
  std::set<std::string> binaries; ///< that are up to date afterwards, by name; of all: every one
  std::vector<std::string> data;  ///< those of the names that are files in the build directory
};

/// The targets that make these binaries, and the files that tests read and the build makes.
///
/// Ninja can be asked for such files one by one; otherwise, and where it is not known who makes a
/// file, everything is built. Sources that are generated were made by whoever selected.
TargetPlan planTargets(SelectionBasis &basis, const std::set<std::string> &binaries);

} // namespace retest
