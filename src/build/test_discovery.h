#pragma once

#include "build/project_paths.h"

#include <string>
#include <vector>

namespace retest {

/// A program whose tests become entries of CTest only when it is built: gtest_discover_tests,
/// catch_discover_tests, doctest_discover_tests.
struct TestDiscovery {
  std::string binary;  ///< as ProjectPaths::nameOf gives it
  std::string target;  ///< until then CTest has one entry, "<target>_NOT_BUILT"
  std::string command; ///< that finds them; it says how they are run. Without the project's place
  /// What else says so, absolute paths: the script that the command runs, and scripts that CTest
  /// reads beside its own (TEST_INCLUDE_FILES), which may set properties of any test. Sorted.
  std::vector<std::string> scripts = {};

  auto operator<=>(const TestDiscovery &) const = default;
};

/// All of a build directory, sorted.
std::vector<TestDiscovery> testDiscoveries(const ProjectPaths &paths);

} // namespace retest
