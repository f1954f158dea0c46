#pragma once

#include "db/connection.h"
#include "graph/program_plan.h"

namespace retest {

/// What a baseline's build linked, as rows of `binary` and `link_input`.
void savePlan(SQLite::Database &database, std::int64_t baseline, const ProgramPlan &plan,
              const Names &names);
/// Kinds are within range: the schema checks them.
ProgramPlan loadPlan(SQLite::Database &database, std::int64_t baseline, Names &names);

} // namespace retest
