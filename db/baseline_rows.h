#pragma once

#include "db/connection.h"
#include "db/store.h"

namespace retest {

struct BaselineRow {
  BaselineRowId id;
  BaselineInfo info;
};

// All of these run inside a transaction of the caller.

/// Newest first.
std::vector<BaselineRow> baselineRows(Connection &connection);
/// By its name, or a beginning of it that only one has; the newest if the name is empty.
llvm::Expected<BaselineRow> findBaseline(Connection &connection, const std::string &name);

llvm::Expected<BaselineIndex> loadIndex(Connection &connection, const BaselineRow &row);
llvm::Expected<Baseline> loadBaseline(Connection &connection, PackReader &packs,
                                      const BaselineRow &row, Names &names);

/// What is saved as one baseline.
struct BaselineParts {
  const BaselineInfo &info;
  const BaselineUnits &units;
  const NamedPlan &plan;
  const CoverageMatrix *coverage;
};
/// What went with a baseline that was removed.
struct Removed {
  bool wasThere = false;
  bool usedFiles = false; ///< its tests did: nobody may need them now
};
/// Adds a baseline, in place of the one of the same name. What nobody needs any more stays.
llvm::Expected<Removed> insertBaseline(Connection &connection, const BaselineParts &parts);
/// Copies a baseline of another store by its values, so that the outcome depends on nothing else.
llvm::Error copyBaseline(Store &from, const BaselineRow &row, Connection &to, Removed &replaced);
Removed removeBaselineRow(SQLite::Database &database, const std::string &name);
/// Removes the units that no baseline has, and what only they, or what was removed, needed.
llvm::Error removeUnused(Connection &connection, Removed removed);

} // namespace retest
