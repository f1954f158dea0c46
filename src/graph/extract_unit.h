#pragma once

#include "build/compile_database.h"
#include "graph/extract_options.h"
#include "graph/unit_record.h"

namespace retest {

/// What came of reading one unit. It has its own table of names: units are read in parallel.
struct ExtractedUnit {
  UnitRecord record;
  Names names;
  /// Flags that Clang does not know and that were left out, for -v.
  std::vector<std::string> droppedFlags;
};

/// Parses a unit with Clang and turns it into its graph.
///
/// Always returns: a unit that does not parse, or that crashes the parser, is a record with the
/// first error and no graph.
ExtractedUnit extractUnit(const Unit &unit, const ProjectPaths &paths,
                          const ExtractOptions &options);

} // namespace retest
