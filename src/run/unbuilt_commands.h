#pragma once

#include "run/ctest_suite.h"

namespace retest {

/// Fills in the commands of entries whose programs do not exist, which CTest leaves out, from the
/// scripts that CMake wrote for CTest. So it can be told how tests are run before they are built.
/// What cannot be found out stays empty.
void addUnbuiltCommands(std::vector<SuiteEntry> &entries, const std::string &buildDirectory);

} // namespace retest
