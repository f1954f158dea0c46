#pragma once

#include "build/project_paths.h"
#include "report/graph_view.h"
#include "support/fingerprint.h"

#include <map>
#include <optional>
#include <string>

namespace retest {

/// What files contained when they were recorded, by name.
using FileContents = std::map<std::string, Fingerprint>;

/// The lines of the project's files as they are now, each file read once. With `contents`, only of
/// files that still contain what they did: other lines would not be those of the baseline.
SourceLines sourceLinesOf(const ProjectPaths &paths,
                          std::optional<FileContents> contents = std::nullopt);

} // namespace retest
