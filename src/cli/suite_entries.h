#pragma once

#include "build/project_paths.h"
#include "run/ctest_suite.h"

namespace retest {

/// What runs the tests of a project: the entries of CTest or Meson, or, for a project without, one
/// for each of its programs that uses a framework. `programs` are paths.
llvm::Expected<std::vector<SuiteEntry>> suiteEntries(const ProjectPaths &paths,
                                                     llvm::ArrayRef<std::string> programs);

/// The directories of a project as settings of entries call them.
std::vector<NamedDirectory> directoriesOf(const ProjectPaths &paths);

} // namespace retest
