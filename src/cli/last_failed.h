#pragma once

#include "build/project_paths.h"
#include "run/recorded_test.h"

#include <llvm/ADT/ArrayRef.h>

#include <optional>
#include <set>

namespace retest {

/// A test by its identity: binary and name.
using TestKey = std::pair<std::string, std::string>;

inline TestKey keyOf(const RecordedTest &test) { return {test.binary, test.name}; }

/// The tests that did not pass when they ran last, in whichever run that was. Kept beside the
/// store; nothing if no run was kept yet.
std::optional<std::set<TestKey>> loadLastFailed(const ProjectPaths &paths);

/// A directory that cannot be written to is no reason to fail.
void saveLastFailed(const ProjectPaths &paths, const std::set<TestKey> &tests);

} // namespace retest
