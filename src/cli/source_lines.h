#pragma once

#include "build/project_paths.h"
#include "report/graph_view.h"
#include "support/fingerprint.h"

#include <map>
#include <optional>
#include <string>

namespace retest {

/// What the files of a baseline contained, by name, and the commit at which that may be found.
struct RecordedFiles {
  std::string commit; ///< empty if not known
  std::map<std::string, Fingerprint> contents;
};

/// What a file of the baseline contained: from the work tree if it is still the same, else from
/// git; nothing if it is not known.
std::optional<std::string> recordedText(const RecordedFiles &recorded, const ProjectPaths &paths,
                                        const std::string &name);

/// The lines of the project's files as they are now, each file read once. With `recorded`, as they
/// were then, or none; lines of another version are never shown.
SourceLines sourceLinesOf(const ProjectPaths &paths,
                          std::optional<RecordedFiles> recorded = std::nullopt);

} // namespace retest
