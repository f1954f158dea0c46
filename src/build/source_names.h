#pragma once

#include "build/project_paths.h"

namespace retest {

/// Whether sources came or went since CMake ran last: a `file(GLOB)` of the project may name others
/// now, and no file that CMake was given tells. Renamed and moved files are of both kinds.
///
/// A source that came is a file with the ending of one in a directory that is newer than the build
/// description, of which the compile database knows nothing. CMake runs at most once for each.
bool haveSourceNamesChanged(const ProjectPaths &paths);

} // namespace retest
