#pragma once

#include "graph/freshness.h"
#include "support/ids.h"

#include <string>

namespace retest {

struct UnitRowTag;
/// The number of a stored unit in its file; never used again for another.
using UnitRowId = Id<UnitRowTag>;

/// A stored unit without its graph: enough to judge whether it is up to date.
struct StoredUnit {
  UnitRowId id;
  std::string name;
  std::string source;
  std::string object;
  Fingerprint command;
  std::string error;
  UnitFiles files;

  bool isParsed() const { return error.empty(); }
};

/// A unit to be stored, with the table of its names.
struct NamedUnit {
  const UnitRecord *unit;
  const Names *names;
};

} // namespace retest
