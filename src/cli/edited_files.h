#pragma once

#include "build/project_paths.h"
#include "cli/source_lines.h"
#include "db/store.h"
#include "report/edited_places.h"
#include "support/file_state.h"

namespace retest {

/// What the units of a baseline read.
RecordedFiles recordedFiles(const BaselineIndex &index);

/// Where the files that units of the baseline read are edited. Each file is compared once, when it
/// is first asked about.
/// REQUIRES: `index` and `states` outlive the result.
EditedPlaces editedSince(const BaselineIndex &index, const ProjectPaths &paths, FileStates &states);

} // namespace retest
